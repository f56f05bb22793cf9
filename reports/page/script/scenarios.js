// One scenario: its arms beside the reference, their times and their goodput.

const rowsOfAChart = 30;

const value = (cell, metric) => cell.metrics[metric] ? cell.metrics[metric].value : null;
const isMeasured = (cell) => cell.status === 'measured' && value(cell, 'time_us') !== null;

/** The measured cells of a scenario, quickest first. */
function measuredOf(scenario, report) {
  return scenario.cells.map((at) => report.cells[at])
      .filter(isMeasured)
      .sort((one, other) => value(one, 'time_us') - value(other, 'time_us'));
}

/** Not parts of a stage by themselves. */
const isWhole = (cell) => cell.mode === 'isolated' || cell.mode === 'pipelined';

function charted(cells) {
  return cells.slice(0, rowsOfAChart);
}

/** What is said where a chart can't hold all of them. */
function leftOut(cells) {
  return cells.length > rowsOfAChart ? ` The chart holds the ${rowsOfAChart} quickest of ${cells.length}.` : '';
}

function findingOf(cell, scenario, report) {
  if (report.cells[scenario.reference] === cell) return 'reference';
  return scenario.beside_reference[scenario.cells.indexOf(report.cells.indexOf(cell))];
}

function outcome(text) {
  const kind = {quicker: 'quicker', slower: 'slower', 'not decided': 'undecided'}[text] || '';
  return element('span', {class: `outcome ${kind}`}, text);
}

/** Places of intervals and their middles, in rows: [{low, value, high}]. */
function intervalSets(cells, arms, interval, middle) {
  const colours = cells.map((cell) => lookOf(cell.arm, arms).colour);
  return [
    {
      type: 'line',
      data: cells.map(middle),
      showLine: false,
      pointRadius: 4.5,
      pointBorderWidth: 0,
      pointBackgroundColor: colours,
      indexAxis: 'y',
    },
    {
      data: cells.map(interval),
      backgroundColor: colours.map((colour) => withAlpha(colour, 0.55)),
      barThickness: 5,
      minBarLength: 2,
      grouped: false,
    },
  ];
}

function ratioChart(id, scenario, report) {
  const measured = measuredOf(scenario, report).filter((cell) => isWhole(cell) && cell.metrics.speedup);
  const cells = charted(measured);
  if (cells.length < 2) return null;
  const reference = scenario.reference === null ? report.run.reference_arm : report.cells[scenario.reference].name;
  const noise = scenario.noise;
  const words = `How many times as quick as ${reference}, with the interval of the rounds. ` +
      (noise ? `What lies within ${ratioText(noise[0])} to ${ratioText(noise[1])} (the band) can't be told from ` +
                   'noise: so much the reference differs from itself.'
             : 'The noise is not known: no arm was measured twice, in five rounds at least.') + leftOut(measured);
  return chartFigure({
    id,
    title: 'Arms beside the reference',
    sentence: report.mark + words,
    height: heightOf(cells.length),
    settings: () => ({
      type: 'bar',
      data: {
        labels: cells.map((cell) => cell.name),
        datasets: intervalSets(cells, report.arms, (cell) => cell.metrics.speedup.ci95 || null,
                               (cell) => cell.metrics.speedup.value),
      },
      options: {
        indexAxis: 'y',
        scales: {x: axis(`times as quick${report.axisMark}`, {beginAtZero: false, grace: '5%'}), y: rowAxis()},
        plugins: {tooltip: {callbacks: {label: (item) => {
          const {value: middle, ci95} = cells[item.dataIndex].metrics.speedup;
          return ratioText(middle) + (ci95 ? ` [${ci95.map(ratioText).join(', ')}]` : '');
        }}}},
      },
      plugins: [marks([...(noise ? [{axis: 'x', from: noise[0], to: noise[1]}] : []), {axis: 'x', at: 1}])],
    }),
    tableOf: () => table(`Arms beside ${reference}, quickest first.${report.captionMark}`, [
      {head: 'arm', name: true, cell: (cell) => cell.name},
      {head: 'time', unit: 'us [95 %]', number: true, cell: (cell) => figure(cell.metrics.time_us)},
      {head: 'times as quick', unit: '[95 %]', number: true, cell: (cell) => figure(cell.metrics.speedup, ratioText)},
      ...(measured.some((cell) => cell.metrics.detectable_slowdown) ? [{
        head: 'slowdown that would be found', unit: 'ratio', number: true,
        cell: (cell) => figure(cell.metrics.detectable_slowdown, ratioText),
      }] : []),
      {head: 'beside the reference', name: true, cell: (cell) => outcome(findingOf(cell, scenario, report))},
    ], measured, {tall: measured.length > 15, chosen: (cell) => cell === report.cells[scenario.best]}),
  });
}

function timeChart(id, scenario, report) {
  const measured = measuredOf(scenario, report);
  const whole = measured.filter((cell) => isWhole(cell) && cell.quantiles_us);
  const cells = charted(whole);
  if (cells.length === 0) return null;
  const all = cells.flatMap((cell) => cell.quantiles_us);
  const spreads = Math.max(...all) > 8 * Math.min(...all);
  const bars = (from, to, alpha, thickness) => ({
    data: cells.map((cell) => [cell.quantiles_us[from], cell.quantiles_us[to]]),
    backgroundColor: cells.map((cell) => withAlpha(lookOf(cell.arm, report.arms).colour, alpha)),
    barThickness: thickness,
    minBarLength: 2,
    grouped: false,
  });
  return chartFigure({
    id,
    title: 'Distribution of samples',
    sentence: `${report.mark}Per arm the median (point), the middle half of all samples (thick) and the middle ` +
        `90 % (thin); ticks are medians of rounds.${leftOut(whole)}`,
    height: heightOf(cells.length),
    settings: () => ({
      type: 'bar',
      data: {
        labels: cells.map((cell) => cell.name),
        datasets: [
          {
            type: 'line',
            data: cells.map((cell) => cell.quantiles_us[2]),
            showLine: false,
            pointRadius: 3.5,
            pointBorderWidth: 1.5,
            pointBorderColor: themeColour('ink'),
            pointBackgroundColor: themeColour('paper'),
            indexAxis: 'y',
          },
          {
            type: 'scatter',
            data: cells.flatMap((cell) => cell.rounds_us.map((time) => ({x: time, y: cell.name}))),
            pointStyle: 'line',
            pointRotation: 90,
            pointRadius: 5,
            pointBorderWidth: 1,
            pointHoverRadius: 5,
            pointBorderColor: withAlpha(themeColour('ink'), 0.35),
          },
          bars(1, 3, 0.75, 11),
          bars(0, 4, 0.35, 5),
        ],
      },
      options: {
        indexAxis: 'y',
        scales: {
          x: axis(`time, us${report.axisMark}`, spreads ? {type: 'logarithmic'} : {beginAtZero: false, grace: '3%'}),
          y: rowAxis(),
        },
        plugins: {tooltip: {
          filter: (item) => item.datasetIndex !== 1,
          callbacks: {label: (item) => {
            const of = cells[item.dataIndex].quantiles_us.map(compact);
            return `median ${of[2]} us, half ${of[1]}..${of[3]}, 90 % ${of[0]}..${of[4]}`;
          }},
        }},
      },
    }),
    tableOf: () => table(`Samples by arm, quickest first.${report.captionMark}`, [
      {head: 'arm', name: true, cell: (cell) => cell.name},
      {head: 'time', unit: 'us [95 %]', number: true, cell: (cell) => figure(cell.metrics.time_us)},
      {head: '5 %', unit: 'us', number: true, cell: (cell) => figure(cell.metrics.time_p5_us)},
      {head: '95 %', unit: 'us', number: true, cell: (cell) => figure(cell.metrics.time_p95_us)},
      {head: 'samples', number: true, cell: (cell) => String(cell.samples ?? 0)},
    ], measured, {tall: measured.length > 15}),
  });
}

function goodputChart(id, scenario, report) {
  const measured = measuredOf(scenario, report).filter((cell) => cell.metrics.goodput_gbps);
  const cells = charted(measured);
  if (cells.length === 0) return null;
  const {ceiling} = report;
  return chartFigure({
    id,
    title: 'Goodput against the ceiling',
    sentence: `${report.mark}Bytes that leave a rank for its peers, over the time. ` +
        (ceiling ? `The line is the ceiling, ${compact(ceiling)} GB/s: one contiguous copy, the slowest ordered pair.`
                 : 'No ceiling was measured.') + leftOut(measured),
    height: heightOf(cells.length),
    settings: () => ({
      type: 'bar',
      data: {
        labels: cells.map((cell) => cell.name),
        datasets: [{
          data: cells.map((cell) => value(cell, 'goodput_gbps')),
          backgroundColor: cells.map((cell) => withAlpha(lookOf(cell.arm, report.arms).colour, 0.8)),
          barThickness: 13,
        }],
      },
      options: {
        indexAxis: 'y',
        scales: {x: axis(`goodput, GB/s${report.axisMark}`, {suggestedMax: ceiling ? ceiling * 1.02 : undefined}), y: rowAxis()},
        plugins: {tooltip: {callbacks: {label: (item) => `${compact(item.raw)} GB/s`}}},
      },
      plugins: [marks(ceiling ? [{axis: 'x', at: ceiling, dash: [5, 3]}] : [])],
    }),
    tableOf: () => table(`Goodput by arm, quickest first.${report.captionMark}`, [
      {head: 'arm', name: true, cell: (cell) => cell.name},
      {head: 'goodput', unit: 'GB/s [95 %]', number: true, cell: (cell) => figure(cell.metrics.goodput_gbps)},
      {head: 'of the ceiling', unit: 'ratio [95 %]', number: true, cell: (cell) => figure(cell.metrics.ceiling_share, ratioText)},
      {head: 'algbw', unit: 'GB/s', number: true, cell: (cell) => figure(cell.metrics.algbw_gbps && {value: cell.metrics.algbw_gbps.value})},
      {head: 'busbw', unit: 'GB/s', number: true, cell: (cell) => figure(cell.metrics.busbw_gbps && {value: cell.metrics.busbw_gbps.value})},
    ], measured, {tall: measured.length > 15}),
  });
}
