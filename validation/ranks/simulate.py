"""`ithaca-bench --device sim`: what its reports, traces and tables must hold, and say."""

import json
import pathlib
import re
import sys

import launch
import scatter

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SHAPE = ("--shape", "1,256,16,64")
SHORT = ("--rounds", "2", "--iterations", "2")
# Those that must be there, besides others of the direct exchanger.
ARMS = {"copy-engine", "copy-engine-again", "push", "push-bulk", "push-exchange", "hybrid"}
NONE = {"nccl", "mpi", "communicator"}


def simulate(ranks, *arguments, command="scatter"):
    return launch.run(
        [launch.bench(), command, "--device", "sim", "--ranks", str(ranks), *SHORT, *arguments]
    )


def load(folder):
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def samples(report):
    return {(each["shape"], each["arm"], each["mode"]): each["samples_ns"] for each in report["cells"]}


def check_schema(file):
    outcome = launch.run([sys.executable, SOURCE / "scripts/check_schema.py", file])
    assert outcome.exit_code in (0, 2), "the report does not match the schema"
    assert outcome.exit_code == 0 or "jsonschema is absent" in outcome.text


def check_marked(outcome, folder):
    """Every place that shows a number says that it is simulated."""
    assert re.search(r"^Simulated: every time and rate", outcome.stdout, re.MULTILINE)
    assert "Simulated: ceiling" in outcome.stdout
    titles = re.findall(r"^(?:scatter|gather|crossover)  .*", outcome.stdout, re.MULTILINE)
    assert titles and all(each.endswith("  simulated") for each in titles), titles
    report = load(folder)
    assert report["machine"]["device"] == "sim" and report["machine"]["fabric"] == "h200-nv18"
    assert report["run"]["note"].startswith("Simulated: "), report["run"]["note"]
    assert all(each["device"] == "sim" for each in report["cells"])
    trace = json.loads((folder / "trace.json").read_text(encoding="utf-8"))
    assert trace["otherData"]["simulated"] is True
    assert trace["otherData"]["note"].startswith("Simulated: ")
    return report


def measured(report):
    """All cells, but those of arms that are never run back to back."""
    cells = [each for each in report["cells"] if "back to back" not in (each["reason"] or "")]
    for each in cells:
        assert each["status"] == "measured", (each["arm"], each["reason"])
    return cells


def check_run(ranks, folder):
    outcome = simulate(ranks, *SHAPE, "--out", "first")
    assert outcome.exit_code == 0
    report = check_marked(outcome, folder / "first")
    check_schema(folder / "first" / "report.json")
    arms = {each["arm"] for each in report["cells"]}
    assert arms >= ARMS and not arms & NONE, arms
    assert "none were checked" in report["run"]["note"]
    for cell in measured(report):
        assert cell["checked"]["bytes"] == 0, "bytes that never moved can't have been checked"
        assert cell["metrics"]["time_us"]["value"] > 0
        if cell["arm"] == "copy-engine":
            assert cell["counts"]["peer_copies"] == 3 * ranks * (ranks - 1)
    simulate(ranks, *SHAPE, "--out", "second")
    assert samples(report) == samples(load(folder / "second")), "equal seeds, other samples"
    return report


def four(folder):
    first = check_run(4, folder)
    simulate(4, *SHAPE, "--out", "third", "--seed", "2")
    assert samples(first) != samples(load(folder / "third")), "another seed, equal samples"
    simulate(4, *SHAPE, "--out", "late", "--skew-us", "500", "--arms", "copy-engine")
    late = load(folder / "late")["cells"][0]["metrics"]["time_us"]["value"]
    assert late > 2 * first["cells"][0]["metrics"]["time_us"]["value"], "skew costs nothing"


def eight(folder):
    check_run(8, folder)


def degrees(folder):
    """Two groups side by side."""
    outcome = simulate(4, *SHAPE, "--degrees", "2,4", "--arms", "copy-engine", "--out", "both")
    assert outcome.exit_code == 0
    assert {each["degree"] for each in load(folder / "both")["cells"]} == {2, 4}


def bytes_moved(folder):
    outcome = simulate(2, *SHAPE, "--move-bytes", "--out", "moved")
    assert outcome.exit_code == 0
    report = check_marked(outcome, folder / "moved")
    assert "Bytes were moved and checked" in report["run"]["note"]
    for cell in measured(report):
        assert cell["checked"]["bytes"] > 0 and cell["checked"]["mismatched_bytes"] == 0


def other_commands(folder):
    for command, what in (("gather", SHAPE), ("crossover", ("--bytes", "64K:1M:4"))):
        outcome = simulate(2, *what, "--out", command, command=command)
        assert outcome.exit_code == 0
        check_marked(outcome, folder / command)
        check_schema(folder / command / "report.json")
    assert "simulated us" in outcome.stdout


def others_are_left_out(folder):
    outcome = simulate(2, *SHAPE, "--arms", "copy-engine,nccl", "--out", "named")
    assert outcome.exit_code == 0
    left_out = [each for each in load(folder / "named")["cells"] if each["arm"] == "nccl"]
    assert left_out and all("does not run on the sim device" in each["reason"] for each in left_out)


def trace(folder):
    outcome = simulate(4, *SHAPE, "--out", "here")
    assert outcome.exit_code == 0
    whole = json.loads((folder / "here" / "trace.json").read_text(encoding="utf-8"))
    scatter.check_trace(whole, 4)
    # Virtual time begins at 0: nothing in the trace is this machine's clock.
    assert whole["otherData"]["base_ns"] < 10**12


BAD_USE = {
    "no ranks": ((), "give --ranks, from 2 to 64"),
    "one rank": (("--ranks", "1"), "from 2 to 64"),
    "too many": (("--ranks", "65"), "from 2 to 64"),
    "unknown fabric": (("--ranks", "2", "--fabric", "h200-nv81"), "did you mean 'h200-nv18'?"),
    "no file": (("--ranks", "2", "--fabric", "no/such.json"), "can't be read"),
    "skew": (("--ranks", "2", "--skew-us", "-1"), "--skew-us '-1'"),
    "degree": (("--ranks", "4", "--degrees", "3"), "does not divide 4 ranks"),
}


def bad_use(_folder):
    for arguments, sentence in BAD_USE.values():
        outcome = launch.run([launch.bench(), "scatter", "--device", "sim", *arguments])
        assert outcome.exit_code == 2, outcome.exit_code
        assert sentence in outcome.stderr, sentence
        assert len(outcome.messages) == 1
    for device in ((), ("--device", "host")):
        outcome = launch.run([launch.bench(), "scatter", *device, "--ranks", "2"])
        assert outcome.exit_code == 2 and "--ranks belongs to --device sim" in outcome.stderr
    under_mpirun = launch.mpirun(
        launch.ranks(2, launch.bench(), "scatter", "--device", "sim", "--ranks", "2")
    )
    assert under_mpirun.exit_code == 2
    assert "start it without mpirun" in under_mpirun.text


CASES = {
    "four": four,
    "eight": eight,
    "degrees": degrees,
    "bytes_moved": bytes_moved,
    "other_commands": other_commands,
    "others_are_left_out": others_are_left_out,
    "trace": trace,
    "bad_use": bad_use,
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
