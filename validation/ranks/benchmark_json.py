"""`--gbench-json FILE`: what Google Benchmark's own tools read."""

import functools
import json
import os
import pathlib
import statistics
import subprocess
import sys

import launch

ROUNDS, SAMPLES = 4, 3
AGGREGATES = ("mean", "median", "stddev", "cv")
# Debian's and Ubuntu's package libbenchmark-tools puts it there.
COMPARE = pathlib.Path("/usr/share/benchmark/compare.py")


def run(folder, name, *arguments, ranks=2):
    """A short scatter: its report and what it wrote for Google Benchmark's tools."""
    file = folder / f"{name}.json"
    outcome = launch.mpirun(
        launch.ranks(
            *(ranks, launch.bench(), "scatter", "--device", "host", "--shape", "1,256,8,64"),
            *("--rounds", ROUNDS, "--iterations", SAMPLES, "--mode", "isolated"),
            *("--out", folder / name, "--gbench-json", file, *arguments),
        )
    )
    assert outcome.exit_code == 0, outcome.exit_code
    report = json.loads((folder / name / "report.json").read_text(encoding="utf-8"))
    return file, report, json.loads(file.read_text(encoding="utf-8"))


def check_cell(cell, of_cell):
    """The rounds as repetitions, their mean times, and the aggregates over them, in microseconds."""
    means = [statistics.mean(each) / 1e3 for each in cell["samples_ns"][0]]
    rounds = [each for each in of_cell if each["run_type"] == "iteration"]
    assert [each["repetition_index"] for each in rounds] == list(range(ROUNDS))
    for each, mean in zip(rounds, means):
        assert (each["repetitions"], each["iterations"], each["threads"]) == (ROUNDS, SAMPLES, 1)
        assert abs(each["real_time"] - mean) < 1e-6 * mean, (each, mean)
        assert each["cpu_time"] > 0
    found = {each["aggregate_name"]: each for each in of_cell if each["run_type"] == "aggregate"}
    assert tuple(found) == AGGREGATES
    deviation = statistics.stdev(means)
    expected = (
        *(statistics.mean(means), statistics.median(means)),
        *(deviation, deviation / statistics.mean(means)),
    )
    for name, value in zip(AGGREGATES, expected):
        assert abs(found[name]["real_time"] - value) <= 1e-6 * value, (name, found[name], value)
        assert found[name]["name"] == f"{found[name]['run_name']}_{name}"


def structure(folder):
    _, report, written = run(folder, "one", "--arms", "copy-engine,mpi,nccl")
    assert written["context"]["num_cpus"] == os.cpu_count()
    cells = [each for each in report["cells"] if each["status"] == "measured"]
    assert len(cells) == 3 < len(report["cells"]), "the skipped arm has no place there"
    by_name = {}
    for each in written["benchmarks"]:
        assert each["time_unit"] == "us"
        by_name.setdefault(each["run_name"], []).append(each)
    assert len(by_name) == len(cells)
    for cell, (name, of_cell) in zip(cells, by_name.items()):
        assert f" {cell['shape']} " in name and f" {cell['arm']} " in name, name
        check_cell(cell, of_cell)


def python_with_scipy():
    """An interpreter for compare.py, which needs it; the system's own may have more than this one."""
    for python in (sys.executable, "/usr/bin/python3"):
        tried = subprocess.run([python, "-c", "import scipy"], capture_output=True, check=False)
        if tried.returncode == 0:
            return python
    raise launch.Skip("compare.py needs the Python module scipy (package python3-scipy)")


def compare(folder):
    """Google Benchmark's compare.py takes two of them, and finds every cell in both."""
    if not COMPARE.exists():
        raise launch.Skip("Google Benchmark's compare.py is not here (package libbenchmark-tools)")
    python = python_with_scipy()
    first, report, _ = run(folder, "one", "--arms", "copy-engine,mpi")
    second, _, _ = run(folder, "two", "--arms", "copy-engine,mpi")
    told = folder / "told.json"
    outcome = launch.run([python, COMPARE, "--no-color", f"--dump_to_json={told}",
                          "benchmarks", first, second])  # fmt: skip
    assert outcome.exit_code == 0, outcome.exit_code
    names = {each["name"] for each in json.loads(told.read_text(encoding="utf-8"))}
    for cell in report["cells"]:
        found = {name for name in names if f" {cell['arm']} " in name}
        assert len(found) >= 1 + len(AGGREGATES), (cell["arm"], names)


def commands(folder):
    """Every command that measures takes it; of stages where a BLAS is."""
    for command in ("gather", "crossover"):
        file = folder / f"{command}.json"
        sizes = ("--bytes", "64K:128K:2") if command == "crossover" else ("--shape", "1,256,8,64")
        outcome = launch.mpirun(
            launch.ranks(2, launch.bench(), command, "--device", "host", *sizes, "--rounds", "2",
                         "--iterations", "1", "--arms", "mpi", "--out", folder / command,
                         "--gbench-json", file)
        )  # fmt: skip
        assert outcome.exit_code == 0, (command, outcome.exit_code)
        assert json.loads(file.read_text(encoding="utf-8"))["benchmarks"]
    file = folder / "simulated.json"
    outcome = launch.run(
        [launch.bench(), "scatter", "--device", "sim", "--ranks", "2", "--shape", "1,256,8,64",
         "--arms", "copy-engine", "--rounds", "2", "--out", folder / "sim", "--gbench-json", file]
    )  # fmt: skip
    assert outcome.exit_code == 0
    assert json.loads(file.read_text(encoding="utf-8"))["benchmarks"]


def unwritable(folder, file):
    """Refused before anything is measured."""
    outcome = launch.mpirun(
        launch.ranks(2, launch.bench(), "scatter", "--device", "host", "--shape", "1,256,8,64",
                     "--out", folder / "out", "--gbench-json", file)
    )  # fmt: skip
    assert outcome.exit_code == 2, outcome.exit_code
    assert len(outcome.messages) == 1 and str(file) in outcome.text, outcome.messages
    assert "time us" not in outcome.stdout
    assert all("samples_ns" not in cell for cell in
               json.loads((folder / "out" / "report.json").read_text(encoding="utf-8"))["cells"])


def over_the_runs_own(folder):
    """The file that a run writes itself is refused before anything is measured."""
    file = folder / "out" / "trace.json"
    outcome = launch.mpirun(
        launch.ranks(2, launch.bench(), "scatter", "--device", "host", "--shape", "1,64,4,8",
                     "--out", folder / "out", "--gbench-json", folder / "out" / ".." / "out" / "trace.json")
    )  # fmt: skip
    assert outcome.exit_code == 2, outcome.exit_code
    assert "the run writes that file itself" in outcome.text and not file.exists()


def quiet(folder):
    """Nothing is printed of a run that went well; its report says it all."""
    outcome = launch.mpirun(
        launch.ranks(2, launch.bench(), "scatter", "--device", "host", "--shape", "1,64,4,8",
                     "--rounds", "2", "--iterations", "1", "--quiet", "--out", folder / "out")
    )  # fmt: skip
    assert outcome.exit_code == 0, outcome.exit_code
    assert not outcome.stdout.strip() and not outcome.messages, outcome.text
    assert json.loads((folder / "out" / "report.json").read_text(encoding="utf-8"))["run"]["complete"]


CASES = {
    "quiet": quiet,
    "over_the_runs_own": over_the_runs_own,
    "structure": structure,
    "compare": compare,
    "commands": commands,
    "into_a_folder": lambda folder: unwritable(folder, folder),
    "into_nowhere": functools.partial(unwritable, file=pathlib.Path("/nowhere/at/all.json")),
    "over_a_device": functools.partial(unwritable, file=pathlib.Path("/dev/null")),
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
