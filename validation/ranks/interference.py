"""`ithaca-bench interference` over real MPI ranks on the host device."""

import functools
import json
import sys

import launch

ARMS = ("copy-engine", "push", "mpi")
HEADS, HEAD_DIM, TOKENS = 4, 32, 64
BOTH = ("isolated", "communication-only", "exchange-beside")


def interference(ranks, *arguments):
    outcome = launch.mpirun(
        launch.ranks(ranks, launch.bench(), "interference", "--device", "host", *arguments)
    )
    if "this build has no BLAS" in outcome.text:
        raise launch.Skip("a matrix product on the host takes a BLAS")
    return outcome


def check_measured(cell, groups):
    assert cell["status"] == "measured", cell
    exchanges = 3 * 2  # the last one of each sample
    whole = groups * TOKENS * 3 * HEADS * HEAD_DIM * 2
    expected = 0 if cell["mode"] == "compute-only" else exchanges * whole
    assert cell["checked"]["bytes"] == expected, cell
    assert cell["checked"]["mismatched_bytes"] == 0
    assert cell["counts"]["allocations_after_warmup"] == 0
    assert cell["counts"]["host_collectives_after_warmup"] == 0
    assert ("over_compute" in cell["metrics"]) == (cell["mode"] == "isolated")
    assert ("over_communication" in cell["metrics"]) == (cell["mode"] == "exchange-beside")
    assert cell["overlap"]["exposed_ns"] >= 0
    of_exchanges = cell["mode"] in ("communication-only", "exchange-beside")
    assert ("goodput_gbps" in cell["metrics"]) == of_exchanges


def both_computations(ranks, degree, folder):
    """Every arm beside each computation: both timed beside each other, and each alone."""
    out = folder / "run"
    outcome = interference(
        *(ranks, "--out", out, "--shape", f"1,{TOKENS},{HEADS},{HEAD_DIM}", "--degrees", degree),
        *("--arms", ",".join(ARMS), "--rounds", "3", "--iterations", "2"),
    )
    assert outcome.exit_code == 0
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["run"]["complete"] is True
    found = {(c["schedule"], c["arm"], c["mode"]) for c in report["cells"]}
    expected = set()
    for computed in ("matmul", "norm"):
        assert f"beside {computed}" in outcome.stdout
        expected |= {(computed, arm, mode) for arm in (*ARMS, "mpi-again") for mode in BOTH}
        expected.add((computed, "none", "compute-only"))
    assert found == expected, found ^ expected
    for cell in report["cells"]:
        check_measured(cell, ranks // degree)


def refused(folder):
    for arguments, words in (
        (("--schedules", "v-first"), "there is no option '--schedules'"),
        (("--mode", "pipelined"), "leave out --mode"),
        (("--bytes", "64K:1M:2"), "not a size"),
        (("--arms", "copy-engin"), "did you mean 'copy-engine'?"),
    ):
        outcome = interference(2, "--out", folder / "none", *arguments)
        assert outcome.exit_code == 2, (arguments, outcome.exit_code)
        assert len(outcome.messages) == 1 and words in outcome.text, arguments
        assert not (folder / "none").exists(), arguments


CASES = {
    "two_ranks": functools.partial(both_computations, 2, 2),
    "two_groups": functools.partial(both_computations, 4, 2),
    "refused": refused,
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
