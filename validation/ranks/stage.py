"""`ithaca-bench stage` over real MPI ranks on the host device: every schedule, small shapes."""

import json
import pathlib
import subprocess
import sys

import launch

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SCHEDULES = (
    *("sequential", "v-first", "v-q-k", "chunked", "chunked:own=produced"),
    *("chunked:pieces=3:shrink=1:tensors=qkv", "head-chunks"),
)
ARMS = ("copy-engine", "push", "mpi")
SHORT = ("--rounds", "2", "--iterations", "1")
PRODUCED_BY_PACKED = "a packed exchange moves the own chunk too: nobody else may produce it"
SHAPES = {
    "per-head": {"qk_norm": "per-head RMSNorm", "qkv_projection": "fused"},
    "over-hidden": {"qk_norm": "RMSNorm over hidden", "kv_heads": 4},
    "plain": {"qk_norm": "none"},
}


def shapes_file(folder):
    usual = {
        **{"heads": 8, "kv_heads": 8, "head_dim": 32, "hidden": 128, "tokens": 64},
        **{"qkv_projection": "split", "source": "a test", "verified": False},
    }
    file = folder / "shapes.json"
    shapes = [usual | {"name": name} | changed for name, changed in SHAPES.items()]
    file.write_text(json.dumps({"shapes": shapes}), encoding="utf-8")
    return file


def stage(ranks, *arguments):
    return launch.mpirun(
        launch.ranks(ranks, launch.bench(), "stage", "--device", "host", *arguments)
    )


def require_blas(outcome):
    if "this build has no BLAS" in outcome.text:
        raise launch.Skip("a stage on the host takes a BLAS")


def measured(folder, ranks, *arguments):
    out = folder / "run"
    outcome = stage(ranks, "--out", out, "--rounds", "3", "--iterations", "2", *arguments)
    require_blas(outcome)
    assert outcome.exit_code == 0, outcome.exit_code
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["run"]["complete"] is True
    check_files(out)
    return outcome, report


def check_files(out):
    lint = [sys.executable, SOURCE / "scripts" / "check_schema.py", out / "report.json"]
    try:
        __import__("jsonschema")
    except ImportError:
        return
    assert subprocess.run(lint, check=False).returncode == 0


def check_cells(cells, shapes):
    """Every schedule with every arm, twice; its computation alone; and the reference's second self."""
    for shape in shapes:
        for schedule in SCHEDULES:
            here = [c for c in cells if c["shape"] == shape and c["schedule"] == schedule]
            found = {(c["arm"], c["mode"]) for c in here}
            expected = {(a, m) for a in ARMS for m in ("isolated", "communication-only")}
            expected.add(("none", "compute-only"))
            if schedule == "sequential":
                expected.add(("mpi-again", "isolated"))
            assert found == expected, (shape, schedule, found ^ expected)


def check_measured(cell, ranks, degree):
    assert cell["status"] == "measured", cell
    assert [len(cell["samples_ns"]), len(cell["samples_ns"][0])] == [1, 3]
    assert cell["checked"]["mismatched_bytes"] == 0
    compared = cell["checked"]["bytes"]
    if cell["mode"] == "compute-only":
        assert compared == 0
        return
    heads = {"over-hidden": 8 + 4 + 4}.get(cell["shape"], 24)
    groups = ranks // degree
    assert compared == 3 * 2 * groups * 64 * heads * 32 * 2, compared
    assert cell["counts"]["allocations_after_warmup"] == 0
    assert cell["counts"]["host_collectives_after_warmup"] == 0
    overlap = cell["overlap"]
    assert overlap["stage_ns"] >= overlap["exposed_ns"] >= 0
    assert 0 <= overlap["hidden_ns"] <= overlap["communication_ns"]


def every_schedule(ranks, degree, folder):
    file = shapes_file(folder)
    _, report = measured(
        *(folder, ranks, "--scenarios", file, "--degrees", degree),
        *("--schedules", ",".join(SCHEDULES), "--arms", ",".join(ARMS)),
    )
    check_cells(report["cells"], SHAPES)
    for cell in report["cells"]:
        if cell["arm"].startswith("mpi") and cell["schedule"].endswith("own=produced"):
            assert (cell["status"], cell["reason"]) == ("skipped", PRODUCED_BY_PACKED), cell
        else:
            check_measured(cell, ranks, degree)


def two_ranks(folder):
    every_schedule(2, 2, folder)


def two_groups(folder):
    every_schedule(4, 2, folder)


def four_ranks(folder):
    every_schedule(4, 4, folder)


def usual(folder):
    """Without a choice: the usual schedules and arms, and a table that names them."""
    outcome, report = measured(folder, 2, "--shape", "2,96,4,64")
    schedules = {cell["schedule"] for cell in report["cells"]}
    assert schedules == {
        *("sequential", "v-first", "v-q-k", "chunked", "chunked:own=produced", "head-chunks")
    }
    for schedule in schedules:
        assert schedule in outcome.stdout


def uneven_tokens(folder):
    """Pieces of rows would differ from rank to rank; whole tensors may."""
    _, report = measured(
        *(folder, 2, "--shape", "1,65,4,32", "--schedules", "v-q-k,chunked"),
        *("--arms", "copy-engine"),
    )
    for cell in report["cells"]:
        chunked = cell["schedule"] == "chunked"
        assert cell["status"] == ("skipped" if chunked else "measured"), cell


def more_pieces_than_rows(folder):
    _, report = measured(
        *(folder, 2, "--shape", "1,8,4,32", "--schedules", "chunked:pieces=5"),
        *("--arms", "copy-engine"),
    )
    chunked = [cell for cell in report["cells"] if cell["schedule"].startswith("chunked")]
    assert chunked
    for cell in chunked:
        assert cell["status"] == "skipped" and "5 pieces of 4 rows" in cell["reason"], cell


def run(folder, command, *arguments):
    """Another command on two ranks: its report."""
    out = folder / command
    outcome = launch.mpirun(
        launch.ranks(2, launch.bench(), command, "--device", "host", "--shape", "1,64,4,32", *SHORT,
                     "--out", out, *arguments)
    )  # fmt: skip
    require_blas(outcome)
    assert outcome.exit_code == 0, outcome.exit_code
    return out / "report.json", json.loads((out / "report.json").read_text(encoding="utf-8"))


def tuned(folder):
    """The quickest schedule of each arm, by tune's own report, is what --tuned compares."""
    grid = ("sequential", "v-first", "chunked:pieces=2")
    arms = ("copy-engine", "mpi")
    file, searched = run(folder, "tune", "--schedules", ",".join(grid), "--arms", ",".join(arms))
    expected = {(arm, "sequential") for arm in arms}
    for arm in arms:
        cells = [c for c in searched["cells"] if c["arm"] == arm and c["mode"] == "isolated"]
        assert {c["schedule"] for c in cells} == set(grid)
        best = min(cells, key=lambda c: c["metrics"]["time_us"]["value"])
        expected.add((arm, best["schedule"]))
    _, compared = run(folder, "stage", "--tuned", file, "--arms", ",".join(arms))
    found = {(c["arm"], c["schedule"]) for c in compared["cells"] if c["arm"] in arms}
    assert found == expected, (found, expected)


def tuned_by_nothing(folder):
    """Files that hold no stage: one message, exit code 2, nothing written."""
    foreign = folder / "foreign.json"
    foreign.write_text('{"cells": []}', encoding="utf-8")
    cut = folder / "cut.json"
    cut.write_text('{"cells": [', encoding="utf-8")
    of_exchanges, _ = run(folder, "scatter", "--arms", "mpi")
    for file in (foreign, cut, of_exchanges, folder / "none.json", folder):
        outcome = stage(2, "--out", folder / "out", "--tuned", file, "--shape", "1,64,4,32")
        require_blas(outcome)
        assert outcome.exit_code == 2 and len(outcome.messages) == 1, (file, outcome.exit_code)
        assert file.name in outcome.text and not (folder / "out").exists()


def ablation(folder):
    """One thing at a time: other arms by the first schedule only, other schedules by one arm."""
    _, report = run(
        *(folder, "ablation", "--schedules", "v-first,sequential"),
        *("--arms", "copy-engine,copy-engine-packed"),
    )
    assert report["run"]["reference_arm"] == "copy-engine"
    found = {(c["arm"], c["schedule"]) for c in report["cells"] if c["arm"] != "none"}
    assert found == {
        *(("copy-engine", "v-first"), ("copy-engine-packed", "v-first")),
        *(("copy-engine", "sequential"), ("copy-engine-again", "v-first")),
    }, found
    of_itself = [
        c["metrics"]["speedup"]["value"]
        for c in report["cells"]
        if (c["arm"], c["schedule"], c["mode"]) == ("copy-engine", "v-first", "isolated")
    ]
    assert of_itself == [1], "speedups refer to the schedule that is taken apart"


def bare_arms(folder):
    """A collective alone has no place in a stage: skipped by name, left out of all."""
    _, report = measured(
        *(folder, 2, "--shape", "1,64,4,32", "--schedules", "v-first"),
        *("--arms", "copy-engine,mpi-bare"),
    )
    for cell in report["cells"]:
        bare = cell["arm"] == "mpi-bare"
        assert cell["status"] == ("skipped" if bare else "measured"), cell
        assert not bare or "packing outside the clock" in cell["reason"], cell


def nothing_measured(folder):
    """Shapes out of a file are skipped one by one; where none is left, the run says so."""
    file = folder / "shapes.json"
    shape = {"name": "odd", "heads": 4, "kv_heads": 4, "head_dim": 32, "tokens": 64, "hidden": 7}
    file.write_text(json.dumps({"shapes": [shape]}), encoding="utf-8")
    outcome = stage(2, "--out", folder / "run", "--scenarios", file)
    require_blas(outcome)
    assert outcome.exit_code == 2, outcome.exit_code
    assert "its hidden size is no" in outcome.text
    assert "nothing could be measured" in outcome.text


def refused(folder):
    """What can't be is said before anything is allocated: one message, exit code 2."""
    for arguments, words in (
        (("--schedules", "v-fist"), "did you mean 'v-first'?"),
        (("--schedules", "chunked:pieces=0"), "pieces"),
        (("--bytes", "64K:1M:2"), "a stage has a shape"),
        (("--mode", "pipelined"), "leave out --mode"),
        (("--shape", "1,64,4,40"), "multiple of 16 channels"),
        (("--shape", "1,64,4,32", "--dtypes", "fp8"), "bf16"),
        (("--shape", "1,64,4,32", "--rope", "gpt"), "--rope"),
        (("--shape", "1,4000000000,64,128",), "MiB more memory"),
        (("--arms", "copy-engin",), "did you mean 'copy-engine'?"),
    ):
        outcome = stage(2, "--out", folder / "none", *arguments)
        require_blas(outcome)
        assert outcome.exit_code == 2, (arguments, outcome.exit_code)
        assert len(outcome.messages) == 1 and words in outcome.text, arguments
        assert not (folder / "none").exists(), arguments


def not_simulated(folder):
    del folder
    outcome = launch.run([launch.bench(), "stage", "--device", "sim", "--ranks", "2"])
    assert outcome.exit_code == 2 and "no computation is simulated" in outcome.text


CASES = {
    case.__name__: case
    for case in (
        *(two_ranks, two_groups, four_ranks, usual, uneven_tokens, more_pieces_than_rows),
        *(tuned, tuned_by_nothing, ablation, bare_arms, nothing_measured, refused, not_simulated),
    )
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
