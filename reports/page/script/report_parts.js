// The parts of a report that are words and tables: verdict, state, noise, machine, what is missing, all cells.

function stateList(report) {
  const words = {bad: 'Bad. ', caution: 'Caution. '};
  return element('ul', {class: 'state'}, report.state.map((line) => element(
      'li', {class: line.weight},
      words[line.weight] ? element('span', {class: 'weight'}, words[line.weight]) : null, line.sentence)));
}

function outcomeOf(scenario) {
  if (scenario.best === null) return outcome('none');
  if (scenario.outcome === 'quicker') return element('span', {class: 'outcome quicker'}, 'decided');
  return element('span', {class: 'outcome undecided'},
                 scenario.outcome === 'slower' ? 'reference not beaten' : 'not decided');
}

/** `show(index)` opens a scenario. */
function verdictTable(report, show) {
  const rows = report.scenarios.map((scenario, at) => ({scenario, at}));
  const best = (row) => row.scenario.best === null ? null : report.cells[row.scenario.best];
  const link = (row) => {
    const made = element('a', {href: `#${report.id}-scenario`}, row.scenario.name);
    made.addEventListener('click', () => show(row.at));
    return made;
  };
  return table(`The best arm of each scenario.${report.captionMark}`, [
    {head: 'scenario', label: true, cell: link},
    {head: 'best arm', label: true, cell: (row) => best(row) ? best(row).name : '–'},
    {head: 'verdict', cell: (row) => outcomeOf(row.scenario)},
    {head: 'time', unit: 'us [95 %]', number: true, cell: (row) => figure(best(row) && best(row).metrics.time_us)},
    {head: `beside ${report.run.reference_arm || 'the reference'}`, unit: '[95 %]', number: true,
     cell: (row) => row.scenario.best !== null && row.scenario.best === row.scenario.reference
         ? 'reference' : figure(best(row) && best(row).metrics.speedup, ratioText)},
    {head: 'noise', unit: 'ratio', number: true, cell: ({scenario}) => scenario.noise
        ? [number(scenario.noise[0], ratioText), ' to ', number(scenario.noise[1], ratioText)] : 'not known'},
    {head: 'note', words: true, cell: ({scenario}) => scenario.note},
  ], rows, {tall: rows.length > 15});
}

function noiseChart(id, report) {
  const again = report.run.noise_floor_arm;
  const rows = report.scenarios.map((scenario) => ({
    scenario,
    cell: scenario.cells.map((at) => report.cells[at]).find((cell) =>
      cell.arm === again && ['isolated', 'pipelined'].includes(cell.mode) && cell.metrics.speedup && cell.metrics.speedup.ci95),
  })).filter((row) => row.cell && row.scenario.noise);
  if (rows.length === 0) return null;
  const shown = rows.slice(0, rowsOfAChart);
  const widest = Math.max(...rows.map((row) => row.scenario.noise[1]));
  return chartFigure({
    id,
    title: 'The reference against itself (A/A)',
    sentence: `${report.mark}${again} is ${report.run.reference_arm} measured once more under another name: what it ` +
        `differs by is noise. The widest reaches from ${ratioText(1 / widest)} to ${ratioText(widest)}.` +
        (rows.length > shown.length ? ` The chart holds the first ${shown.length} of ${rows.length} scenarios.` : ''),
    height: heightOf(shown.length),
    settings: () => ({
      type: 'bar',
      data: {
        labels: shown.map((row) => row.scenario.name),
        datasets: intervalSets(shown.map((row) => row.cell), report.arms, (cell) => cell.metrics.speedup.ci95,
                               (cell) => cell.metrics.speedup.value),
      },
      options: {
        indexAxis: 'y',
        scales: {x: axis(`times as quick as itself${report.axisMark}`, {beginAtZero: false, grace: '5%'}), y: rowAxis()},
        plugins: {tooltip: {callbacks: {label: (item) => {
          const {value: middle, ci95} = shown[item.dataIndex].cell.metrics.speedup;
          return `${ratioText(middle)} [${ci95.map(ratioText).join(', ')}]`;
        }}}},
      },
      plugins: [marks([{axis: 'x', at: 1}])],
    }),
    tableOf: () => table(`The noise floor of each scenario.${report.captionMark}`, [
      {head: 'scenario', name: true, cell: (row) => row.scenario.name},
      {head: again, unit: 'times as quick [95 %]', number: true, cell: (row) => figure(row.cell.metrics.speedup, ratioText)},
      {head: 'noise from', unit: 'ratio', number: true, cell: (row) => number(row.scenario.noise[0], ratioText)},
      {head: 'to', unit: 'ratio', number: true, cell: (row) => number(row.scenario.noise[1], ratioText)},
    ], rows, {tall: rows.length > 15}),
  });
}

function definitions(entries) {
  return element('dl', {}, entries.filter(([, text]) => text !== null && text !== undefined && text !== '')
      .flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, text)]));
}

function machineParts(report) {
  const {machine, run, links} = report;
  const names = [...new Set(machine.gpus.map((gpu) => gpu.name))];
  const parts = [definitions([
    ['Device', machine.device + (machine.fabric ? `, fabric ${machine.fabric}` : '')],
    ['GPUs', machine.gpus.length > 0 ? `${machine.gpus.length} × ${names.join(', ')}` : 'none'],
    ['Paths', [...new Set((machine.paths || []).map((path) => path.link || 'not known'))].join(', ')],
    ['CPU', `${machine.cpu_model}, ${counted(machine.cpu_cores, 'core')}, ` +
        (machine.numa_nodes ? counted(machine.numa_nodes, 'NUMA node') : 'NUMA not known')],
    ['Ranks', String(run.ranks)],
    ['Driver', machine.driver],
    ['CUDA runtime', machine.cuda_runtime],
    ['NCCL', machine.nccl],
    ['MPI', machine.mpi_library],
    ['Handshake', links.handshake_us === null || links.handshake_us === undefined ? null : [number(links.handshake_us), ' us']],
    ['Revision', run.git_revision],
    ['Started', run.started_at],
    ['Seed', String(run.seed)],
    ['Arguments', element('code', {}, run.arguments.join(' '))],
    ['Environment', Object.keys(machine.environment).length === 0 ? 'nothing that changes an exchange'
        : element('code', {}, Object.entries(machine.environment).map((pair) => pair.join('=')).join(' '))],
  ])];
  if (machine.gpus.length > 0) {
    parts.push(details('GPUs', table('GPUs by rank.', [
      {head: 'rank', cell: (gpu) => String(gpu.rank)},
      {head: 'GPU', name: true, cell: (gpu) => gpu.name},
      {head: 'UUID', name: true, cell: (gpu) => gpu.uuid},
    ], machine.gpus)));
  }
  if (links.ceilings.length > 0) {
    parts.push(details('Ceilings', table(`One contiguous copy from rank to rank.${report.captionMark}`, [
      {head: 'from rank', cell: (pair) => String(pair.source)},
      {head: 'to rank', cell: (pair) => String(pair.target)},
      {head: 'ceiling', unit: 'GB/s', number: true, cell: (pair) => number(pair.ceiling_gbps)},
    ], links.ceilings)));
  }
  if (report.kernels && report.kernels.length > 0) {
    parts.push(details('Kernels', table(`Rates of kernels on rank 0, read and written.${report.captionMark}`, [
      {head: 'kernel', name: true, cell: (rate) => rate.kernel},
      {head: 'rate', unit: 'GB/s', number: true, cell: (rate) => number(rate.gbps)},
      {head: 'of a copy', unit: 'ratio', number: true, cell: (rate) => number(rate.copy_share, ratioText)},
    ], report.kernels)));
  }
  if (report.clocks.some((each) => each.sm_mhz)) {
    parts.push(details('Clocks', table('SM clocks of all ranks, and rounds in which a GPU held its clocks down.', [
      {head: 'scenario', name: true, cell: (each) => `${each.shape} ${each.dtype} U${each.degree}`},
      {head: 'SM clock from', unit: 'MHz', number: true, cell: (each) => each.sm_mhz ? String(each.sm_mhz[0]) : '–'},
      {head: 'to', unit: 'MHz', number: true, cell: (each) => each.sm_mhz ? String(each.sm_mhz[1]) : '–'},
      {head: 'drift', unit: 'MHz', number: true, cell: (each) => each.sm_drift_mhz === null ? '–' : number(each.sm_drift_mhz)},
      {head: 'rounds', number: true, cell: (each) => String(each.rounds)},
      {head: 'held down', number: true, cell: (each) => each.throttled_rounds === null ? 'not known' : String(each.throttled_rounds)},
      {head: 'discarded', number: true, cell: (each) => each.discarded_rounds === null ? 'none' : String(each.discarded_rounds)},
    ], report.clocks, {tall: report.clocks.length > 15})));
  }
  return parts;
}

/** Cells without a verdict of their own, those of one reason together. */
function missingList(report) {
  const reasons = new Map();
  for (const cell of report.cells) {
    if (cell.status === 'measured') continue;
    const key = `${cell.status}: ${cell.reason || ''}`;
    if (!reasons.has(key)) reasons.set(key, {status: cell.status, reason: cell.reason || '', names: new Set(), count: 0});
    reasons.get(key).names.add(cell.name);
    reasons.get(key).count += 1;
  }
  if (reasons.size === 0) return element('p', {}, 'None: every cell was measured.');
  const order = {refuted: 0, incomplete: 1, skipped: 2};
  const sorted = [...reasons.values()].sort((one, other) => order[one.status] - order[other.status]);
  return element('ul', {class: 'reasons'}, sorted.map((each) => {
    const names = [...each.names];
    const shown = names.length > 6 ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more` : names.join(', ');
    return element('li', {}, element('strong', {}, each.status), ` (${counted(each.count, 'cell')}): ${shown}: ${each.reason}`);
  }));
}

const titles = {
  time_us: ['time', 'us'], time_p5_us: ['5 %', 'us'], time_p95_us: ['95 %', 'us'], goodput_gbps: ['goodput', 'GB/s'],
  ceiling_share: ['of the ceiling', 'ratio'], speedup: ['times as quick', 'ratio'],
  over_compute: ['over computation', 'ratio'], over_communication: ['over communication', 'ratio'],
};

function metricColumn(name, cells) {
  const {unit} = cells.find((cell) => cell.metrics[name]).metrics[name];
  const [head] = titles[name] || [name.replace(/_(us|ms|mib|gbps)$/, '').replaceAll('_', ' ')];
  const text = unit === 'ratio' ? ratioText : compact;
  return {head, unit: `${unit}`, number: true, cell: (cell) => figure(cell.metrics[name], text)};
}

function allCells(report, order) {
  const has = (name) => report.cells.some((cell) => cell.metrics[name]);
  const known = order.filter(has);
  const others = [...new Set(report.cells.flatMap((cell) => Object.keys(cell.metrics)))].filter((name) => !order.includes(name));
  const staged = report.cells.some((cell) => cell.schedule !== 'exchange');
  return table(`All cells, with intervals of 95 %.${report.captionMark}`, [
    {head: 'arm', name: true, cell: (cell) => cell.arm},
    {head: 'shape', name: true, cell: (cell) => cell.shape},
    {head: 'dtype', cell: (cell) => cell.dtype},
    {head: 'degree', number: true, cell: (cell) => String(cell.degree)},
    ...(staged ? [{head: 'schedule', name: true, cell: (cell) => cell.schedule}] : []),
    {head: 'mode', name: true, cell: (cell) => cell.mode},
    {head: 'status', cell: (cell) => cell.status},
    ...[...known, ...others].map((name) => metricColumn(name, report.cells)),
    ...(report.cells.some((cell) => cell.way) ? [{head: 'way taken', name: true, cell: (cell) => cell.way || ''}] : []),
  ], report.cells, {tall: true});
}
