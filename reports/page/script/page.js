// Puts the page together from its data. It draws, and judges nothing: that is done in reports/verdict.cpp.

/** What the parts need of a report, beside what it holds. */
function prepared(report, at) {
  const {device} = report.machine;
  const marked = {host: 'host device', sim: 'simulated'}[device];
  const ceilings = report.links.ceilings.map((pair) => pair.ceiling_gbps);
  return {
    ...report,
    id: `report-${at}`,
    label: `${report.run.command}, ${report.run.started_at.replace('T', ' ').replace('Z', ' UTC')}`,
    arms: [...new Set(report.cells.map((cell) => cell.arm))].sort(),
    ceiling: ceilings.length > 0 ? Math.min(...ceilings) : null,
    mark: marked ? `Times of the ${device} device say nothing about GPUs. ` : '',
    captionMark: marked ? ` Times of the ${device} device say nothing about GPUs.` : '',
    axisMark: marked ? ` (${marked})` : '',
  };
}

/** Numbers reports whose labels are the same. */
function tellApart(reports) {
  const labels = reports.map((report) => report.label);
  reports.forEach((report, at) => {
    const same = labels.filter((label) => label === labels[at]).length;
    if (same > 1) report.label += ` (${labels.slice(0, at + 1).filter((label) => label === labels[at]).length})`;
  });
}

function leadOf(reports) {
  const [first] = reports;
  if (reports.length > 1) return `${reports.length} reports: ${reports.map((report) => report.label).join('; ')}`;
  const gpus = first.machine.gpus.length > 0 ? `${first.machine.gpus.length} × ${first.machine.gpus[0].name}`
                                              : `the ${first.machine.device} device`;
  return `${counted(first.run.ranks, 'rank')}, ${gpus}, started ${first.run.started_at.replace('T', ' ').replace('Z', ' UTC')}, revision ${first.run.git_revision}.`;
}

/** The charts of one scenario, in a place that another scenario's can take. */
function scenarioPart(report) {
  const place = element('div', {id: `${report.id}-scenario-charts`});
  const show = (at) => {
    const scenario = report.scenarios[at];
    const id = `${report.id}-scenario-${at}`;
    const charts = scenario.kind === 'interference'
        ? [interferenceChart(`${id}-both`, scenario, report)]
        : [
          ratioChart(`${id}-ratio`, scenario, report),
          stageChart(`${id}-stage`, scenario, report),
          timeChart(`${id}-time`, scenario, report),
          goodputChart(`${id}-goodput`, scenario, report),
        ];
    const shown = charts.filter((chart) => chart !== null);
    place.replaceChildren(element('p', {}, element('strong', {}, scenario.name), `. ${scenario.sentence}`),
                          ...(shown.length > 0 ? shown : [element('p', {}, 'No cell of this scenario was measured.')]));
    drawCharts();
  };
  const picker = choice('Scenario', `${report.id}-scenario`, report.scenarios.map((each) => each.name), show);
  const select = picker.querySelector('select');
  return {
    show: (at) => {
      select.value = String(at);
      show(at);
    },
    parts: report.scenarios.length > 1 ? [picker, place] : [place],
  };
}

function sweepPart(report) {
  if (report.sweeps.length === 0) return [];
  const place = element('div', {});
  const show = (at) => {
    place.replaceChildren(...sweepCharts(`${report.id}-sweep-${at}`, report.sweeps[at], report));
    drawCharts();
  };
  show(0);
  const heading = element('h2', {id: `${report.id}-sizes`}, 'Sizes');
  const picker = choice('Exchanges', `${report.id}-sweep`, report.sweeps.map((each) => each.name), show);
  return [heading, ...(report.sweeps.length > 1 ? [picker] : []), place];
}

function section(id, title, ...content) {
  return element('section', {'aria-labelledby': id}, element('h2', {id}, title), ...content);
}

/** A report's verdict, and what follows when all verdicts have been said. */
function reportParts(report, order, several) {
  const named = (title) => several ? `${title}: ${report.label}` : title;
  const scenario = scenarioPart(report);
  const noise = noiseChart(`${report.id}-noise-chart`, report);
  const verdict = section(
      `${report.id}-verdict`, named('Verdict'), element('p', {class: 'headline'}, report.headline), stateList(report),
      verdictTable(report, scenario.show));
  const parts = [
    element('section', {'aria-label': named('Sizes')}, ...sweepPart(report)),
    section(`${report.id}-one`, named('One scenario'), ...scenario.parts),
    noise ? section(`${report.id}-noise`, named('Noise'), noise) : null,
    section(`${report.id}-missing`, named('Skipped and refuted'), missingList(report)),
    section(`${report.id}-machine`, named('Machine and versions'), ...machineParts(report)),
    section(`${report.id}-all`, named('All cells'), details(`${counted(report.cells.length, 'cell')}, every figure`, allCells(report, order))),
  ];
  scenario.show(Math.max(0, report.scenarios.findIndex((each) => each.best !== null)));
  return {verdict, parts: parts.filter((part) => part !== null)};
}

function begin() {
  const {metrics, reports: raw} = JSON.parse(document.getElementById('data').textContent);
  const reports = raw.map(prepared);
  tellApart(reports);
  const {command} = reports[0].run;
  const title = reports.length === 1 ? `${command[0].toUpperCase()}${command.slice(1)} report` : 'Several reports';
  document.title = `Ithaca: ${title}`;
  document.getElementById('title').textContent = title;
  document.getElementById('lead').textContent = leadOf(reports);
  const main = document.getElementById('main');
  if (!chartsAreHere) {
    main.append(element('p', {class: 'notice'}, 'Charts are missing: the program that made this page was built without ' +
        'Chart.js (package libjs-chart.js). The tables hold all the numbers.'));
  }
  setDefaults();
  const made = reports.map((report) => reportParts(report, metrics, reports.length > 1));
  main.append(...made.map((each) => each.verdict), ...made.flatMap((each) => each.parts));
  drawCharts();
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawCharts);
  // Behind the first frame, so that it counts.
  requestAnimationFrame(() => setTimeout(() => {
    document.documentElement.dataset.drawnMs = String(Math.round(performance.now()));
  }));
}

document.addEventListener('DOMContentLoaded', begin);
