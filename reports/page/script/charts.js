// Charts: each a figure with a heading, a sentence that says what it shows, and its table.

const drawn = [];
const rowHeight = 26;
const chartsAreHere = typeof Chart !== 'undefined';

/**
 * A figure. `settings()` gives Chart.js its configuration, with the colours of now; `height` is in
 * pixels; `legend()` gives names and colours, and of lines their dashes.
 */
function chartFigure({id, level = 3, title, sentence, settings, height, tableOf, legend}) {
  const words = element('p', {id: `${id}-words`}, sentence);
  const caption = element('figcaption', {}, element(`h${level}`, {}, title), words);
  const made = element('figure', {id}, caption);
  if (chartsAreHere) {
    const canvas = element('canvas', {
      role: 'img', 'aria-label': `Chart: ${title}`, 'aria-describedby': `${id}-words`,
    });
    const box = element('div', {class: 'canvas'}, canvas);
    box.style.height = `${height}px`;
    if (legend) made.append(legendList(legend()));
    made.append(box);
    drawn.push({canvas, settings, legend, figure: made, chart: null});
  }
  const folded = details('The numbers', tableOf());
  folded.open = !chartsAreHere;
  made.append(folded);
  return made;
}

function legendList(entries) {
  return element('ul', {class: 'legend'}, entries.map(([name, colour, dash]) => {
    const swatch = element('span', {class: dash ? 'swatch line' : 'swatch', 'aria-hidden': 'true'});
    if (dash) swatch.style.borderTop = `3px ${lineStyle(dash)} ${colour}`;
    else swatch.style.background = colour;
    return element('li', {}, swatch, name);
  }));
}

function lineStyle(dash) {
  if (dash.length === 0) return 'solid';
  return dash[0] < 4 ? 'dotted' : 'dashed';
}

/** Draws what is in the document and not drawn yet; forgets what was drawn and has left it. */
function drawCharts() {
  for (const each of [...drawn]) {
    if (each.chart && !each.canvas.isConnected) {
      each.chart.destroy();
      drawn.splice(drawn.indexOf(each), 1);
    } else if (!each.chart && each.canvas.isConnected) {
      each.chart = new Chart(each.canvas, each.settings());
    }
  }
}

/** Draws everything anew, with other colours. */
function redrawCharts() {
  setDefaults();
  for (const each of drawn) {
    if (each.chart) each.chart.destroy();
    each.chart = null;
    const list = each.figure.querySelector('.legend');
    if (list) list.replaceWith(legendList(each.legend()));
  }
  drawCharts();
}

function setDefaults() {
  if (!chartsAreHere) return;
  Chart.defaults.animation = false;
  Chart.defaults.responsive = true;
  Chart.defaults.maintainAspectRatio = false;
  Chart.defaults.color = themeColour('quiet');
  Chart.defaults.borderColor = themeColour('grid');
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  Chart.defaults.plugins.legend.display = false;
  Chart.defaults.plugins.tooltip.backgroundColor = themeColour('ink');
  Chart.defaults.plugins.tooltip.titleColor = themeColour('paper');
  Chart.defaults.plugins.tooltip.bodyColor = themeColour('paper');
  Chart.defaults.plugins.tooltip.displayColors = false;
}

/** Vertical or horizontal lines and bands behind the data: [{axis, at | from, to, dash}]. */
function marks(entries) {
  return {
    id: 'marks',
    beforeDatasetsDraw(chart) {
      const {ctx, chartArea: area} = chart;
      for (const each of entries) {
        const scale = chart.scales[each.axis];
        const place = (value) => Math.min(
            Math.max(scale.getPixelForValue(value), each.axis === 'x' ? area.left : area.top),
            each.axis === 'x' ? area.right : area.bottom);
        const from = place(each.from ?? each.at);
        const to = place(each.to ?? each.at);
        ctx.save();
        if (each.from !== undefined) {
          ctx.fillStyle = themeColour('band');
          if (each.axis === 'x') ctx.fillRect(from, area.top, to - from, area.height);
          else ctx.fillRect(area.left, to, area.width, from - to);
        } else {
          ctx.strokeStyle = themeColour('quiet');
          ctx.setLineDash(each.dash || []);
          ctx.beginPath();
          ctx.moveTo(each.axis === 'x' ? from : area.left, each.axis === 'x' ? area.top : from);
          ctx.lineTo(each.axis === 'x' ? from : area.right, each.axis === 'x' ? area.bottom : from);
          ctx.stroke();
        }
        ctx.restore();
      }
    },
  };
}

/** An axis with a title, and lines as thin as they can be. */
function axis(title, more = {}) {
  return {title: {display: true, text: title}, ...more};
}

function cut(text, room) {
  return text.length > room ? `${text.slice(0, room - 1)}…` : text;
}

/** Names of rows, in as much room as a narrow screen has: of stages, arm and schedule below each other. */
function rowAxis(more = {}) {
  const isNarrow = (chart) => chart.width < 560;
  return {
    type: 'category',
    grid: {display: false},
    ticks: {
      autoSkip: false,
      color: themeColour('ink'),
      font: (context) => ({size: isNarrow(context.chart) ? 10 : 12, lineHeight: 1.15}),
      callback(value) {
        const name = this.getLabelForValue(value);
        const room = Math.max(14, Math.floor(this.chart.width / 18));
        const [arm, schedule] = name.split(' by ');
        if (isNarrow(this.chart) && schedule) return [cut(arm, room), cut(schedule, room)];
        return cut(name, room);
      },
    },
    ...more,
  };
}

function heightOf(rows) {
  return rows * rowHeight + 64;
}
