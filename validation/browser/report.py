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
from page_checks import (
    CONTRASTS,
    check_all_cells,
    check_choices,
    check_drawn,
    check_keyboard,
    check_numbers,
    check_quiet,
    check_structure,
)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ranks"))
import launch  # noqa: E402 (in the folder of the tests with ranks)

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RANKS = 2
SHORT = ("--rounds", 5, "--iterations", 1)
MANY = 500
MOST_BYTES = 5_000_000
SCREENS = {"wide": 1280, "narrow": 360}
HEIGHT = 900


def bench(*arguments):
    outcome = launch.mpirun(
        launch.ranks(RANKS, launch.bench(), *arguments, "--device", "host", *SHORT, "--out", "run")
    )
    assert outcome.exit_code == 0
    return pathlib.Path("run").resolve()


@contextlib.contextmanager
def browser(draws=True):
    if draws and os.environ["ITHACA_WITH_CHARTS"] != "1":
        raise launch.Skip(
            "this build has no Chart.js (package libjs-chart.js), so pages have no charts"
        )
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
    found = page.complaints()
    assert found == [], found
    page.wait_until("document.documentElement.dataset.drawnMs")


def keep(page, name):
    folder = pathlib.Path(os.environ["ITHACA_SCREENSHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(folder / f"{name}.png")


def check_schemes_and_widths(page, file, name, at_least):
    """Light and dark, wide and narrow: drawn, readable, and never wider than the screen."""
    grounds = {}
    for scheme in ("light", "dark"):
        for screen, width in SCREENS.items():
            opened(page, file, scheme, width)
            check_drawn(page, at_least)
            keep(page, f"{name}-{scheme}-{screen}")
            page.evaluate(
                "document.querySelectorAll('details').forEach((each) => { each.open = true })"
            )
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
        print(
            f"{MANY} cells: {size} bytes, drawn within {', '.join(map(str, times))} ms of opening"
        )


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
        headings = page.evaluate(
            "[...document.querySelectorAll('h2')].map((each) => each.textContent)"
        )
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
    with browser(draws=False) as started:
        page = started.page()
        opened(page, file)
        check_quiet(page, file)
        assert page.evaluate("document.querySelectorAll('canvas').length") == 0
        assert "Charts are missing" in page.evaluate(
            "document.querySelector('.notice:not(noscript *)').textContent"
        )
        assert page.evaluate(
            "[...document.querySelectorAll('figure details')].every((each) => each.open)"
        )
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
            check_drawn(page, 2)  # of two rounds none of the noise
            check_structure(page)
            keep(page, f"recorded-{file.stem}")
            print(file.name, page.evaluate("document.documentElement.dataset.drawnMs"), "ms")


CASES = {
    each.__name__: each
    for each in (
        scatter,
        stage,
        crossover,
        many_cells,
        several_reports,
        without_charts,
        recorded_runs,
    )
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
