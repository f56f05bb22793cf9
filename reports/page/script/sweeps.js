// Sizes: what an exchange takes and moves over what it sends, and where transports cross over.

/** Arms of a sweep but for the reference's second self, which has the same line. */
function armsOf(sweep, report) {
  const arms = new Set(sweep.cells.map((at) => report.cells[at].arm));
  return report.arms.filter((arm) => arms.has(arm) && arm !== report.run.noise_floor_arm);
}

/** As many lines. */
function linesOf(sweep, report, metric) {
  const cells = sweep.cells.map((at) => report.cells[at]);
  return armsOf(sweep, report).map((arm) => {
    const look = lookOf(arm, report.arms);
    return {
      label: arm,
      data: cells.filter((cell) => cell.arm === arm && cell.metrics[metric])
          .map((cell) => ({x: cell.bytes_a_peer, y: cell.metrics[metric].value, shape: cell.shape})),
      borderColor: look.colour,
      backgroundColor: look.colour,
      borderDash: look.dash,
      borderWidth: 1.75,
      pointStyle: look.point,
      pointRadius: 3,
      tension: 0,
    };
  });
}

/** Powers of two, few enough to be read. */
function byteTicks(scale) {
  const low = Math.ceil(Math.log2(scale.min));
  const high = Math.floor(Math.log2(scale.max));
  const step = Math.max(1, Math.ceil((high - low + 1) / Math.max(2, Math.floor(scale.width / 80))));
  scale.ticks = [];
  for (let power = low; power <= high; power += step) scale.ticks.push({value: 2 ** power});
}

/** The ends of a logarithmic axis, a little beyond the values. */
function endsOf(values) {
  return {min: Math.min(...values) / 1.2, max: Math.max(...values) * 1.2};
}

function byteAxis(cells) {
  return axis('bytes that a rank sends to each peer', {
    type: 'logarithmic', ...endsOf(cells.map((cell) => cell.bytes_a_peer)), afterBuildTicks: byteTicks, ticks: {callback: bytesText, maxRotation: 0},
  });
}

/** 1, 2 and 5 of each power of ten. */
function decimalTick(value) {
  const lead = Number(value.toExponential().split('e')[0]);
  return [1, 2, 5].includes(lead) ? String(value) : '';
}

function rangeText(range) {
  const size = (shape) => shape.replace('-a-peer', '');
  const place = range.first_shape === range.last_shape
      ? `at ${size(range.first_shape)}` : `from ${size(range.first_shape)} to ${size(range.last_shape)}`;
  return `${range.arm || 'no arm'} ${place}`;
}

function crossoverWords(sweep) {
  const most = 4;
  const named = sweep.choices.slice(0, most).map(rangeText).join(', ');
  const more = sweep.choices.length - most;
  return `The quickest, or not told from it: ${named}${more > 0 ? `, and ${more} more` : ''}. ` +
      'Bare arms, which leave out packing, do not compete.';
}

/** Halfway, as logarithms go, between the last size of one arm and the first of the next. */
function crossings(sweep, report) {
  const cells = sweep.cells.map((at) => report.cells[at]);
  const sizeOf = (shape) => cells.find((cell) => cell.shape === shape).bytes_a_peer;
  return sweep.choices.slice(1).map((range, at) => ({
    axis: 'x', dash: [2, 3], at: Math.sqrt(sizeOf(sweep.choices[at].last_shape) * sizeOf(range.first_shape)),
  }));
}

function sweepChart({id, title, sentence, sweep, report, metric, unit, logarithmic, lines, max}) {
  const cells = sweep.cells.map((at) => report.cells[at]);
  const arms = armsOf(sweep, report);
  const shapes = [...new Set(cells.map((cell) => cell.shape))];
  const cellOf = (shape, arm) => cells.find((cell) => cell.shape === shape && cell.arm === arm);
  return chartFigure({
    id,
    title,
    sentence: report.mark + sentence,
    height: 400,
    legend: () => arms.map((arm) => [arm, lookOf(arm, report.arms).colour, lookOf(arm, report.arms).dash]),
    settings: () => ({
      type: 'line',
      data: {datasets: linesOf(sweep, report, metric)},
      options: {
        interaction: {mode: 'nearest', intersect: false},
        scales: {
          x: byteAxis(cells),
          y: axis(`${unit}${report.axisMark}`, logarithmic
              ? {type: 'logarithmic', ...endsOf(cells.map((cell) => value(cell, metric))), ticks: {callback: decimalTick}} : {beginAtZero: true, suggestedMax: max}),
        },
        plugins: {tooltip: {callbacks: {
          title: (items) => items.length > 0 ? items[0].raw.shape : '',
          label: (item) => `${item.dataset.label} ${compact(item.raw.y)} ${unit.split(', ').pop()}`,
        }}},
      },
      plugins: [marks(lines)],
    }),
    tableOf: () => table(`${title}: ${unit}, ${sweep.name}.${report.captionMark}`, [
      {head: 'size or shape', name: true, cell: (shape) => shape},
      {head: 'to each peer', number: true, cell: (shape) => bytesText(cells.find((cell) => cell.shape === shape).bytes_a_peer)},
      ...arms.map((arm) => ({
        head: arm, number: true,
        cell: (shape) => {
          const cell = cellOf(shape, arm);
          return figure(cell && cell.metrics[metric] && {value: cell.metrics[metric].value});
        },
      })),
    ], shapes, {tall: shapes.length > 15}),
  });
}

function sweepCharts(id, sweep, report) {
  const {ceiling} = report;
  return [
    sweepChart({
      id: `${id}-latency`, title: 'Latency against size', sweep, report, metric: 'time_us', unit: 'time, us',
      logarithmic: true, sentence: `${crossoverWords(sweep)} Dotted lines stand where the choice changes.`,
      lines: crossings(sweep, report),
    }),
    sweepChart({
      id: `${id}-goodput`, title: 'Goodput against size', sweep, report, metric: 'goodput_gbps', unit: 'goodput, GB/s',
      logarithmic: false, max: ceiling ? ceiling * 1.02 : undefined,
      sentence: ceiling ? `The dashed line is the ceiling, ${compact(ceiling)} GB/s: one contiguous copy, the slowest ordered pair.`
                        : 'No ceiling was measured.',
      lines: ceiling ? [{axis: 'y', at: ceiling, dash: [5, 3]}] : [],
    }),
    details('Where transports cross over', table(`The quickest arm, or one not told from it, from size to size.${report.captionMark}`, [
      {head: 'arm', name: true, cell: (range) => range.arm || 'none'},
      {head: 'from', name: true, cell: (range) => range.first_shape},
      {head: 'to', name: true, cell: (range) => range.last_shape},
    ], sweep.choices)),
  ];
}
