// A stage: what it computes, and what of its communication is hidden and exposed. And exchanges and
// computations beside each other.

const inUs = (ns) => ns / 1000;

function stageChart(id, scenario, report) {
  const measured = measuredOf(scenario, report).filter((cell) => cell.overlap);
  const whole = measured.filter(isWhole);
  const cells = charted(whole);
  if (cells.length === 0) return null;
  const part = (name, of) => ({
    label: name,
    data: cells.map((cell) => inUs(of(cell.overlap))),
    backgroundColor: stageColours()[name],
    barThickness: 14,
  });
  const column = (head, field) => ({
    head, unit: 'us', number: true, cell: (cell) => number(inUs(cell.overlap[field])),
  });
  const ratioColumn = (head, field) => ({
    head, unit: 'ratio', number: true,
    cell: (cell) => cell.overlap[field] === undefined || cell.overlap[field] === null
        ? '–' : number(cell.overlap[field], ratioText),
  });
  return chartFigure({
    id,
    title: 'Computation, hidden and exposed communication',
    sentence: `${report.mark}Of one traced run, on the rank that waited longest: computation alone, computation ` +
        `that hides communication, and what the consumer waits for. Quickest stage first.${leftOut(whole)}`,
    height: heightOf(cells.length),
    legend: () => [['computation alone', stageColours().compute],
                   ['computation that hides communication', stageColours().hidden],
                   ['exposed', stageColours().exposed]],
    settings: () => ({
      type: 'bar',
      data: {
        labels: cells.map((cell) => cell.name),
        datasets: [
          part('compute', (of) => of.compute_ns - of.hidden_ns),
          part('hidden', (of) => of.hidden_ns),
          part('exposed', (of) => of.exposed_ns),
        ],
      },
      options: {
        indexAxis: 'y',
        scales: {x: axis(`us${report.axisMark}`, {stacked: true}), y: rowAxis({stacked: true})},
        plugins: {tooltip: {callbacks: {label: (item) => `${item.dataset.label} ${compact(item.raw)} us`}}},
      },
    }),
    tableOf: () => table(`Parts of the stage in the traced run.${report.captionMark}`, [
      {head: 'schedule and arm', name: true, cell: (cell) => cell.name},
      column('stage', 'stage_ns'),
      column('computing', 'compute_ns'),
      column('hidden', 'hidden_ns'),
      column('exposed', 'exposed_ns'),
      column('communicating', 'communication_ns'),
      column('to peers', 'to_peers_ns'),
      column('within the rank', 'within_rank_ns'),
      ratioColumn('of it hidden', 'hidden_fraction'),
      ratioColumn('computation takes', 'compute_slowdown'),
      ratioColumn('communication takes', 'communication_slowdown'),
      ratioColumn('of the ideal gain', 'ideal_share'),
    ], measured, {tall: measured.length > 15, chosen: (cell) => cell === report.cells[scenario.best]}),
  });
}

/** Both sides of interference, by arm. */
function interferenceRows(scenario, report) {
  const cells = scenario.cells.map((at) => report.cells[at]);
  return cells.filter((cell) => cell.mode === 'isolated' && isMeasured(cell)).map((computation) => {
    const of = (mode, arm) => cells.find((cell) => cell.mode === mode && cell.arm === arm);
    return {
      arm: computation.arm,
      computation,
      computationAlone: of('compute-only', 'none'),
      exchange: of('exchange-beside', computation.arm),
      exchangeAlone: of('communication-only', computation.arm),
    };
  });
}

function interferenceChart(id, scenario, report) {
  const rows = interferenceRows(scenario, report);
  if (rows.length === 0) return null;
  const metric = (cell, name) => cell ? cell.metrics[name] : undefined;
  const sides = [
    {name: 'the computation', place: -0.14, of: (row) => metric(row.computation, 'over_compute'), colour: () => stageColours().hidden},
    {name: 'the exchange', place: 0.14, of: (row) => metric(row.exchange, 'over_communication'), colour: () => stageColours().exposed},
  ];
  return chartFigure({
    id,
    title: 'What both cost each other',
    sentence: `${report.mark}How many times as long the computation takes beside exchanges, and an exchange beside ` +
        'the computation, as each takes alone. 1 costs nothing.',
    height: heightOf(rows.length) + rows.length * 6,
    legend: () => sides.map((side) => [side.name, side.colour()]),
    settings: () => ({
      type: 'bar',
      data: {
        labels: rows.map((row) => row.arm),
        datasets: sides.map((side) => ({
          label: side.name,
          data: rows.map((row) => side.of(row) ? side.of(row).value : null),
          backgroundColor: side.colour(),
          barThickness: 9,
          base: 1,
        })),
      },
      options: {
        indexAxis: 'y',
        scales: {x: axis(`times as long as alone${report.axisMark}`, {beginAtZero: false, grace: '5%'}), y: rowAxis()},
        plugins: {tooltip: {callbacks: {label: (item) => `${item.dataset.label} ${ratioText(item.raw)}`}}},
      },
      plugins: [marks([{axis: 'x', at: 1}])],
    }),
    tableOf: () => table(`Both sides, alone and beside each other.${report.captionMark}`, [
      {head: 'arm', name: true, cell: (row) => row.arm},
      {head: 'computation alone', unit: 'us', number: true, cell: (row) => figure(metric(row.computationAlone, 'time_us'))},
      {head: 'beside exchanges', unit: 'us', number: true, cell: (row) => figure(metric(row.computation, 'time_us'))},
      {head: 'times as long', unit: '[95 %]', number: true, cell: (row) => figure(sides[0].of(row), ratioText)},
      {head: 'exchange alone', unit: 'us', number: true, cell: (row) => figure(metric(row.exchangeAlone, 'time_us'))},
      {head: 'beside the computation', unit: 'us', number: true, cell: (row) => figure(metric(row.exchange, 'time_us'))},
      {head: 'times as long', unit: '[95 %]', number: true, cell: (row) => figure(sides[1].of(row), ratioText)},
    ], rows),
  });
}
