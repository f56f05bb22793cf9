"""The HTML page of reports in a headless Chromium: of real runs on the host device, and of many cells.

Screenshots are left in ITHACA_SCREENSHOTS.
"""

import contextlib
import copy
import json
import os
import pathlib
import subprocess
import sys

import chromium

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ranks"))
import launch  # noqa: E402 (beside it)

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RANKS = 2
SHORT = ("--rounds", 3, "--iterations", 2)
MANY = 500
MOST_BYTES = 5_000_000
SCREENS = {"wide": 1280, "narrow": 360}
HEIGHT = 900
INK = 100  # pixels that even an empty scale with names has

DRAWN = """
[...document.querySelectorAll('canvas')].map((canvas) => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let inked = 0;
  for (let at = 3; at < data.length; at += 4) inked += data[at] > 0 ? 1 : 0;
  return {chart: Boolean(Chart.getChart(canvas)), inked, name: canvas.getAttribute('aria-label')};
})
"""

NUMBERS = """
[...document.querySelectorAll('table data')].map((each) => [each.value, each.textContent])
"""

ALL_CELLS = """
[...document.querySelectorAll('section:last-of-type tbody tr')].map((row) =>
  [...row.cells].map((cell) => ({
    text: cell.textContent,
    numbers: [...cell.querySelectorAll('data')].map((each) => Number(each.value)),
  })))
"""

COLUMNS = """
[...document.querySelectorAll('section:last-of-type thead th')].map((cell) => cell.textContent)
"""

REACHABLE = """
[...document.querySelectorAll('a[href], select, summary, [tabindex="0"]')]
  .filter((each) => each.checkVisibility()).length
"""

# Of WCAG 2.2: relative luminance and contrast of the colours of texts on the page's ground.
CONTRASTS = """
(() => {
  const style = getComputedStyle(document.documentElement);
  const luminance = (name) => {
    const hex = style.getPropertyValue(`--${name}`).trim().slice(1);
    const parts = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
    const [r, g, b] = parts.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  return ['ink', 'quiet', 'link', 'good', 'caution', 'bad'].flatMap((name) =>
    ['paper', 'raised'].map((ground) => [`${name} on ${ground}`, contrast(name, ground)]));
})()
"""

STRUCTURE = """
({
  headings: [...document.querySelectorAll('h1, h2, h3, h4')].map((each) => Number(each.tagName[1])),
  landmarks: ['header', 'main', 'footer'].map((name) => document.querySelectorAll(`body > ${name}`).length),
  tables: document.querySelectorAll('table').length,
  captions: document.querySelectorAll('table > caption').length,
  wordless: [...document.querySelectorAll('canvas')].filter((each) =>
    !each.getAttribute('aria-label') || !document.getElementById(each.getAttribute('aria-describedby'))).length,
  figures: document.querySelectorAll('figure').length,
  folded: document.querySelectorAll('figure details table').length,
  repeated: [...document.querySelectorAll('[id]')].map((each) => each.id).filter((id, at, all) => all.indexOf(id) !== at),
})
"""


def bench(*arguments):
    outcome = launch.mpirun(
        launch.ranks(RANKS, launch.bench(), *arguments, "--device", "host", *SHORT, "--out", "run")
    )
    assert outcome.exit_code == 0
    return pathlib.Path("run").resolve()


@contextlib.contextmanager
def browser():
    if os.environ["ITHACA_WITH_CHARTS"] != "1":
        raise launch.Skip("this build has no Chart.js (package libjs-chart.js), so pages have no charts")
    try:
        with chromium.started() as started:
            print(f"browser: {started.version}")
            yield started
    except chromium.NoBrowser as reason:
        raise launch.Skip(str(reason)) from None


def opened(page, file, scheme="light", width=SCREENS["wide"]):
    page.prefer(scheme)
    page.resize(width, HEIGHT)
    page.open(file.as_uri())
    assert page.complaints() == []
    page.wait_until("document.documentElement.dataset.drawnMs")


def keep(page, name):
    folder = pathlib.Path(os.environ["ITHACA_SCREENSHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(folder / f"{name}.png")


def check_quiet(page, file):
    assert page.complaints() == []
    assert page.requests() == [file.as_uri()], "the page asked for more than itself"


def check_drawn(page, at_least):
    canvases = page.evaluate(DRAWN)
    assert len(canvases) >= at_least, f"{len(canvases)} charts"
    for each in canvases:
        assert each["chart"] and each["inked"] > INK, f"not drawn: {each}"
    assert page.evaluate("Object.keys(Chart.instances).length") == len(canvases)


def numbers_of(value):
    """Every number in a JSON value."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return set()
    if isinstance(value, (int, float)):
        return {float(value)}
    parts = value.values() if isinstance(value, dict) else value
    return set().union(*map(numbers_of, parts)) if parts else set()


def check_text(value, text):
    """What is read is the number, rounded to the digits that are shown."""
    shown = float(text)
    if "e" in text:
        assert abs(shown - value) <= abs(value) * 0.005, (value, text)
        return
    digits = len(text.partition(".")[2])
    assert abs(shown - value) <= 0.5 * 10**-digits * 1.000001, (value, text)


def check_numbers(page, report):
    """Whatever number a table shows is one of the report, or follows from one: us of ns, and the
    reciprocal of an interval's end."""
    known = numbers_of(report)
    known |= {1 / each for each in known if each} | {each / 1000 for each in known} | {1.0}
    shown = page.evaluate(NUMBERS)
    assert shown, "no number is shown"
    for value, text in shown:
        nearest = min(known, key=lambda each: abs(each - float(value)))
        assert abs(nearest - float(value)) <= 1e-12 * abs(nearest), f"{value} is not in the report"
        check_text(float(value), text)


def check_all_cells(page, report):
    """The last table has every figure of every cell, exactly."""
    head = page.evaluate(COLUMNS)
    rows = page.evaluate(ALL_CELLS)
    assert len(rows) == len(report["cells"])
    names = ("arm", "shape", "dtype", "degree", "schedule", "mode", "status")
    for row, cell in zip(rows, report["cells"], strict=True):
        keys = {name: row[head.index(name)]["text"] for name in names if name in head}
        assert all(str(cell[name]) == text for name, text in keys.items()), (keys, cell)
        shown = [each["numbers"] for each in row if each["numbers"]]
        expected = [
            [metric["value"], *metric.get("ci95", [])] for metric in cell["metrics"].values()
        ]
        assert sorted(shown) == sorted(expected), f"{keys}: {shown} is not {expected}"


def choices(page, what):
    return page.evaluate(f"document.querySelectorAll('#report-0-{what} option').length")


def choose(page, what, at):
    page.evaluate(
        f"(() => {{ const select = document.getElementById('report-0-{what}');"
        f" select.value = '{at}'; select.dispatchEvent(new Event('change')); }})()"
    )


def check_choices(page, report, at_least):
    """Every scenario and every sweep that can be chosen is drawn and says its numbers."""
    for what in ("scenario", "sweep"):
        for at in range(choices(page, what)):
            choose(page, what, at)
            check_drawn(page, at_least)
            check_numbers(page, report)
        if choices(page, what):
            choose(page, what, 0)


def check_keyboard(page):
    """Tab reaches everything that can be used; Enter opens what is folded."""
    page.evaluate("document.activeElement.blur()")
    expected = page.evaluate(REACHABLE)
    page.evaluate("window.reached = new Set()")
    for _ in range(expected + 2):
        page.press("Tab", 9)
        page.evaluate("window.reached.add(document.activeElement), 0")
    missed = page.evaluate(
        "[...document.querySelectorAll('a[href], select, summary, [tabindex=\"0\"]')]"
        ".filter((each) => each.checkVisibility() && !window.reached.has(each))"
        ".map((each) => each.outerHTML.slice(0, 80))"
    )
    assert missed == [], f"not reached by keyboard: {missed}"
    page.evaluate("document.querySelector('figure summary').focus()")
    page.press("Enter", 13, "\r")
    assert page.evaluate("document.querySelector('figure details').open"), "Enter opens nothing"
    if choices(page, "scenario") > 1:
        page.evaluate("document.getElementById('report-0-scenario').focus()")
        before = page.evaluate("document.getElementById('report-0-scenario').value")
        page.press("ArrowDown" if before == "0" else "ArrowUp", 40 if before == "0" else 38)
        after = page.evaluate("document.getElementById('report-0-scenario').value")
        assert before != after, "the scenario can't be chosen by keyboard"


def check_structure(page):
    found = page.evaluate(STRUCTURE)
    levels = found["headings"]
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels
    assert found["landmarks"] == [1, 1, 1]
    assert found["tables"] == found["captions"] > 0
    assert found["wordless"] == 0
    assert found["figures"] == found["folded"] > 0, "a chart without its table"
    assert found["repeated"] == []


def check_schemes_and_widths(page, file, name, at_least):
    """Light and dark, wide and narrow: drawn, readable, and never wider than the screen."""
    grounds = {}
    for scheme in ("light", "dark"):
        for screen, width in SCREENS.items():
            opened(page, file, scheme, width)
            check_drawn(page, at_least)
            keep(page, f"{name}-{scheme}-{screen}")
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
            seen = page.evaluate("document.documentElement.scrollWidth")
            assert seen <= width, f"{seen} pixels wide on a screen of {width}"
        for what, contrast in page.evaluate(CONTRASTS):
            assert contrast >= 4.5, f"{scheme}: {what} has a contrast of {contrast:.2f}"
        grounds[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
        check_quiet(page, file)
    assert grounds["light"] != grounds["dark"]
    # A system that changes its mind while the page is open.
    page.prefer("light")
    check_drawn(page, at_least)
    assert page.evaluate("Chart.defaults.color") == page.evaluate("themeColour('quiet')")


def check_page(file, report, name, at_least):
    with browser() as started:
        page = started.page()
        opened(page, file)
        check_quiet(page, file)
        check_drawn(page, at_least)
        check_structure(page)
        check_all_cells(page, report)
        check_numbers(page, report)
        check_choices(page, report, at_least)
        check_keyboard(page)
        check_schemes_and_widths(page, file, name, at_least)


def check_run(name, at_least, *arguments):
    out = bench(*arguments)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    check_page(out / "report.html", report, name, at_least)


def scatter(_):
    """Arms beside the reference, samples, goodput; the noise."""
    check_run("scatter", 4, "scatter", "--shape", "1,256,8,64", "--shape", "2,257,12,64")


def stage(_):
    """The stage's bars, too."""
    if os.environ["ITHACA_WITH_BLAS"] != "1":
        raise launch.Skip("this build has no BLAS, which stages on the host take")
    arms = ("--arms", "copy-engine,mpi")
    check_run("stage", 5, "stage", "--shape", "1,256,8,64", *arms)


def crossover(_):
    """Latency and goodput against size, too."""
    arms = ("--arms", "copy-engine,push-exchange,mpi")
    check_run("crossover", 6, "crossover", "--bytes", "4K:256K:4", *arms)


def report_of_many(base, count):
    """A report with so many measured cells as nobody has measured."""
    made = copy.deepcopy(base)
    cells = [each for each in base["cells"] if each["status"] == "measured"]
    made["cells"] = []
    for at in range(count):
        cell = copy.deepcopy(cells[at % len(cells)])
        cell["shape"] = f"shape-{at // len(cells)}"
        cell["samples_ns"] = [[each * 4 for each in cell["samples_ns"][0] * 10]]
        made["cells"].append(cell)
    made["telemetry"]["scenarios"] = []
    return made


def many_cells(folder):
    """500 cells, 30 rounds of 8 samples each. The size is judged; the time is told."""
    run = bench("scatter", "--shape", "1,256,8,64")
    made = report_of_many(json.loads((run / "report.json").read_text(encoding="utf-8")), MANY)
    (folder / "many.json").write_text(json.dumps(made), encoding="utf-8")
    file = folder / "many.html"
    outcome = launch.run([launch.report(), "html", file, folder / "many.json"])
    assert outcome.exit_code == 0
    size = file.stat().st_size
    assert size < MOST_BYTES, f"{size} bytes"
    with browser() as started:
        page = started.page()
        opened(page, file)
        check_quiet(page, file)
        check_drawn(page, 4)
        check_all_cells(page, made)
        times = [page.evaluate("Number(document.documentElement.dataset.drawnMs)")]
        for _ in range(2):
            opened(page, file)
            times.append(page.evaluate("Number(document.documentElement.dataset.drawnMs)"))
        keep(page, "many-cells")
        print(f"{MANY} cells: {size} bytes, drawn within {', '.join(map(str, times))} ms of opening")


def several_reports(folder):
    """One page of two reports, with texts that would be code if they were not escaped."""
    run = bench("scatter", "--shape", "1,256,8,64", "--arms", "copy-engine,mpi")
    first = json.loads((run / "report.json").read_text(encoding="utf-8"))
    second = copy.deepcopy(first)
    hostile = "</script><img src=x onerror=\"console.error('run')\"><!-- {{data}}"
    second["cells"][0].update(status="refuted", reason=hostile, metrics={}, samples_ns=[])
    second["run"]["complete"] = False
    for name, report in (("first", first), ("second", second)):
        (folder / f"{name}.json").write_text(json.dumps(report), encoding="utf-8")
    file = folder / "both.html"
    command = [launch.report(), "html", file, folder / "first.json", folder / "second.json"]
    assert launch.run(command).exit_code == 0
    with browser() as started:
        page = started.page()
        opened(page, file)
        check_quiet(page, file)
        check_drawn(page, 8)
        check_structure(page)
        words = page.evaluate("document.querySelector('main').textContent")
        assert hostile in words and "The run is not complete" in words
        headings = page.evaluate("[...document.querySelectorAll('h2')].map((each) => each.textContent)")
        assert all(each.startswith("Verdict: ") for each in headings[:2]), headings
        assert len(set(headings)) == len(headings), "reports can't be told apart"
        check_numbers(page, [first, second])
        keep(page, "several-reports")


def without_charts(folder):
    """A page from a build without Chart.js: says so, and shows its tables."""
    run = bench("scatter", "--shape", "1,256,8,64", "--arms", "copy-engine,mpi")
    text = (run / "report.html").read_text(encoding="utf-8")
    before, _, rest = text.partition("<script>")
    file = folder / "bare.html"
    file.write_text(before + "<script>" + rest[rest.index("</script>") :], encoding="utf-8")
    with browser() as started:
        page = started.page()
        opened(page, file)
        check_quiet(page, file)
        assert page.evaluate("document.querySelectorAll('canvas').length") == 0
        assert "Charts are missing" in page.evaluate("document.querySelector('.notice:not(noscript *)').textContent")
        assert page.evaluate("[...document.querySelectorAll('figure details')].every((each) => each.open)")
        check_numbers(page, json.loads((run / "report.json").read_text(encoding="utf-8")))
        keep(page, "without-charts")


def recorded_runs(folder):
    """The page of every report that is in the tree, as `scripts/recorded_pages.sh` makes it."""
    environment = {**os.environ, "ITHACA_PROGRAM": launch.report()}
    made = subprocess.run(
        [SOURCE / "scripts" / "recorded_pages.sh", folder], env=environment, check=True, text=True,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    print(made.stdout)
    pages = sorted(folder.glob("*.html"))
    assert len(pages) > 10, f"{len(pages)} pages"
    with browser() as started:
        for file in pages:
            page = started.page()
            opened(page, file)
            check_quiet(page, file)
            check_drawn(page, 3)
            check_structure(page)
            keep(page, f"recorded-{file.stem}")
            print(file.name, page.evaluate("document.documentElement.dataset.drawnMs"), "ms")


CASES = {
    each.__name__: each
    for each in (scatter, stage, crossover, many_cells, several_reports, without_charts, recorded_runs)
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
