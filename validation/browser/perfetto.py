"""Traces of real runs in the Perfetto UI: as many slices, arrows and rows as were written, and the report's overlap.

Screenshots are left in ITHACA_SCREENSHOTS.
"""

import collections
import gzip
import json
import os
import pathlib
import sys

import chromium
import perfetto_ui

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "validation" / "ranks"))
import launch  # noqa: E402 (beside it)

OVERLAP = SOURCE / "traces" / "queries" / "overlap.sql"
RECORDED = SOURCE / "reports" / "recorded" / "2026-11-30-h200-x2-stage"
OF_RUN = ("stage_ns", "compute_ns", "communication_ns", "hidden_ns", "exposed_ns")

ROWS = """
SELECT process.name, thread.name, thread.tid, COUNT(*), SUM(slice.ts), SUM(slice.dur)
FROM slice
JOIN thread_track ON slice.track_id = thread_track.id
JOIN thread USING (utid)
JOIN process USING (upid)
GROUP BY utid
"""
ARROWS = """
SELECT source.name, target.name, COUNT(*)
FROM flow
JOIN slice AS source ON slice_out = source.id
JOIN slice AS target ON slice_in = target.id
GROUP BY 1, 2
"""
LOST = "SELECT name, value FROM stats WHERE severity IN ('error', 'data_loss') AND value > 0"
# Slices with equal arguments may share a set of them.
BYTES = """
SELECT COUNT(*), SUM(bytes)
FROM (SELECT EXTRACT_ARG(arg_set_id, 'args.bytes') AS bytes FROM slice)
WHERE bytes IS NOT NULL
"""


def whole_ns(microseconds):
    """Nanoseconds of a number that was written with three decimals."""
    return round(microseconds * 1000)


def rows_of(events):
    """By process, row and tid: slices (instants among them), their starts and durations added up."""
    names = {
        (each["name"], each["pid"], each["tid"]): each["args"]["name"]
        for each in events
        if each["ph"] == "M" and each["name"].endswith("_name")
    }
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for each in events:
        if each["ph"] not in "Xi":
            continue
        process = names["process_name", each["pid"], 0]
        row = rows[process, names["thread_name", each["pid"], each["tid"]], each["tid"]]
        row[0] += 1
        row[1] += whole_ns(each["ts"])
        row[2] += whole_ns(each.get("dur", 0))
    return sorted([*key, *sums] for key, sums in rows.items())


def arrows_of(events):
    """How many arrows lead from a slice of one name to one of another: each stands behind its slice."""
    ends = collections.defaultdict(dict)
    before = None
    for each in events:
        if each["ph"] in "sf":
            ends[each["id"]][each["ph"]] = before["name"]
        before = each
    return collections.Counter((each["s"], each["f"]) for each in ends.values())


def check_whole(shown, trace):
    """Nothing of the trace is lost on its way through the importer."""
    events = trace["traceEvents"]
    assert shown.query(LOST) == []
    assert sorted(shown.query(ROWS)) == rows_of(events)
    found = {(source, target): count for source, target, count in shown.query(ARROWS)}
    assert found == arrows_of(events), "arrows"
    sizes = [each["args"]["bytes"] for each in events if "bytes" in each.get("args", {})]
    assert shown.query(BYTES) == [[len(sizes), sum(sizes)]], "bytes"


def told(runs):
    """Of one scope's rows of overlap.sql, what the report tells: the middle run on the rank that waited longest."""
    by_run = collections.defaultdict(list)
    for row in runs:
        by_run[row["run"]].append(row)
    worst = [
        max(sorted(ranks, key=lambda row: row["rank"]), key=lambda row: row["exposed_ns"])
        for _, ranks in sorted(by_run.items())
    ]
    return sorted(worst, key=lambda row: row["exposed_ns"])[len(worst) // 2]


def check_overlap(shown, report):
    """To the nanosecond, for every cell that has one."""
    fields = ("rank", "scope", "run", *OF_RUN)
    by_scope = collections.defaultdict(list)
    for row in shown.query(OVERLAP.read_text(encoding="utf-8")):
        by_scope[row[1]].append(dict(zip(fields, row)))
    compared = hidden = 0
    for cell in report["cells"]:
        if not cell.get("overlap"):
            continue
        scope = f"{cell['shape']} {cell['dtype']} U{cell['degree']} {cell['schedule']} {cell['arm']}"
        scope += "" if cell["mode"] == "isolated" else f" {cell['mode']}"
        seen = told(by_scope[scope])
        for field in ("rank", *OF_RUN):
            assert seen[field] == cell["overlap"][field], (scope, field, seen, cell["overlap"])
        compared += 1
        hidden += seen["hidden_ns"]
    assert compared > 0
    # On busy cores the host device may hide nothing.
    assert hidden > 0 or report["machine"]["device"] == "host", compared
    print(f"{compared} cells, {hidden} ns hidden")


def require_ui():
    """Before a run is made for nothing."""
    try:
        perfetto_ui.ui_folder()
        chromium.find()
    except (chromium.NoBrowser, perfetto_ui.NoPerfetto) as missing:
        raise launch.Skip(str(missing)) from None


def look_at(name, text, report=None):
    trace = json.loads(text)
    try:
        with perfetto_ui.opened(text) as shown:
            check_whole(shown, trace)
            if report:
                check_overlap(shown, report)
            pictures = pathlib.Path(os.environ.get("ITHACA_SCREENSHOTS", "screenshots"))
            pictures.mkdir(parents=True, exist_ok=True)
            shown.screenshot(pictures / f"perfetto-{name}.png")
    except chromium.NoBrowser as missing:
        raise launch.Skip(str(missing)) from None


def run(name, folder, *arguments):
    """Two ranks on the host device, then their trace in the UI."""
    require_ui()
    if name == "stage" and os.environ.get("ITHACA_WITH_BLAS") == "0":
        raise launch.Skip("a stage on the host takes a BLAS")
    outcome = launch.mpirun(
        launch.ranks(2, launch.bench(), name, "--device", "host", "--rounds", 2, "--iterations", 1,
                     "--out", folder / "run", *arguments)
    )  # fmt: skip
    assert outcome.exit_code == 0, outcome.exit_code
    report = json.loads((folder / "run" / "report.json").read_text(encoding="utf-8"))
    look_at(
        name,
        (folder / "run" / "trace.json").read_bytes(),
        report if name == "stage" else None,
    )


def recorded(_):
    """A trace of two GPUs that lies in the tree, beside the report of the same run."""
    require_ui()
    with gzip.open(RECORDED / "stage-1.json.gz", "rt", encoding="utf-8") as file:
        report = json.load(file)
    with gzip.open(RECORDED / "trace.json.gz") as file:
        look_at("recorded", file.read(), report)


def scatter(folder):
    run("scatter", folder, "--shape", "2,1000,12,128", "--arms", "copy-engine,push,mpi")


def stage(folder):
    run("stage", folder, "--shape", "1,512,8,64", "--arms", "copy-engine,mpi")


CASES = {each.__name__: each for each in (scatter, stage, recorded)}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
