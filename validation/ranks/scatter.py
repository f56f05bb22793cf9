"""`ithaca-bench scatter` over real MPI ranks: what its report and its trace must hold."""

import collections
import dataclasses
import functools
import importlib.util
import itertools
import json
import pathlib
import re
import subprocess
import sys

import launch

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODES = ("isolated", "pipelined")
EXCHANGES_PER_PIPELINE = 8
ELEMENT_BYTES = {"bf16": 2, "fp8": 1}
EVEN = (1, 256, 8, 64)
UNEVEN = (2, 257, 12, 64)  # no 2, 4 or 8 ranks get equal shares of 257 tokens
# Those that must be there, besides others.
ARMS = {
    "host": ("copy-engine", "mpi", "mpi-bare", "mpi-again"),
    "cuda": ("copy-engine", "nccl", "nccl-bare", "nccl-again"),
}


@dataclasses.dataclass
class Run:
    """What is asked for, and so what must be answered."""

    ranks: int
    degrees: tuple
    device: str = "host"
    shapes: tuple = (EVEN, UNEVEN)
    dtypes: tuple = ("bf16", "fp8")
    rounds: int = 3
    iterations: int = 2

    def arguments(self):
        shapes = [f"--shape={','.join(map(str, each))}" for each in self.shapes]
        return [
            *("--device", self.device, "--dtypes", ",".join(self.dtypes), *shapes),
            *("--degrees", ",".join(map(str, self.degrees))),
            *("--rounds", self.rounds, "--iterations", self.iterations),
        ]

    def scenarios(self):
        return set(
            itertools.product(map(shape_name, self.shapes), self.dtypes, self.degrees, MODES)
        )


def shape_name(shape):
    return "x".join(map(str, shape))


def scenario_of(cell):
    return cell["shape"], cell["dtype"], cell["degree"], cell["mode"]


def scatter(ranks, *arguments):
    return launch.mpirun(launch.ranks(ranks, launch.bench(), "scatter", *arguments))


def load(file):
    return json.loads(file.read_text(encoding="utf-8"))


def tensor_bytes(cell):
    """Q, K and V of all ranks of one group. These shapes have as many KV heads as query heads."""
    batch, tokens, heads, head_dim = map(int, cell["shape"].split("x"))
    return 3 * batch * tokens * heads * head_dim * ELEMENT_BYTES[cell["dtype"]]


def check_measured(cell, run):
    expected = [1, run.rounds, run.iterations]
    samples = cell["samples_ns"]
    taken = [len(samples), len(samples[0]), *{len(each) for each in samples[0]}]
    assert taken == expected, f"launches, rounds, iterations are {taken}, not {expected}"

    checked = cell["checked"]
    exchanges = run.rounds * run.iterations
    if cell["mode"] == "pipelined":
        exchanges *= EXCHANGES_PER_PIPELINE
    assert checked["exchanges"] == exchanges, "not every exchange was checked"
    groups = run.ranks // cell["degree"]
    assert checked["bytes"] == checked["exchanges"] * groups * tensor_bytes(cell)
    assert checked["mismatched_bytes"] == 0

    counts = cell["counts"]
    assert counts["allocations_after_warmup"] == 0
    assert counts["host_collectives_after_warmup"] == 0
    if cell["arm"] == "mpi-bare":
        # One a rank; packing lies outside the exchange.
        assert counts["kernels"] == {"MPI_Ialltoallv": cell["degree"]}
    if cell["arm"] == "copy-engine":
        # A rank keeps 1 / U of what it has: the heads are shared evenly.
        peers_share = tensor_bytes(cell) * (cell["degree"] - 1) // cell["degree"]
        assert counts["peer_bytes"] == peers_share, "the traced copies moved other bytes"
        assert not counts["kernels"], "copy engines need no kernel"

    for name in ("time_us", "goodput_gbps", "speedup", "algbw_gbps", "busbw_gbps"):
        assert cell["metrics"][name]["value"] > 0, name
    for name in ("ceiling_share", "submit_us", "prepare_ms", "first_exchange_us", "memory_mib"):
        assert name in cell["metrics"], name


def check_report(report, run):
    assert report["run"]["complete"] is True
    assert report["run"]["ranks"] == run.ranks
    assert report["machine"]["device"] == run.device
    pairs = {(each["source"], each["target"]) for each in report["links"]["ceilings"]}
    assert pairs == set(itertools.permutations(range(run.ranks), 2)), "a pair without a ceiling"

    check_places(report["machine"], run)
    check_telemetry(report["telemetry"], run)

    by_arm = {}
    for cell in report["cells"]:
        by_arm.setdefault(cell["arm"], []).append(cell)
    for arm in ARMS[run.device]:
        assert arm in by_arm, f"{arm} is not in the report"
    assert report["run"]["noise_floor_arm"] == f"{report['run']['reference_arm']}-again"
    for arm, cells in by_arm.items():
        assert len(cells) == len(run.scenarios()), f"{arm} has {len(cells)} cells"
        assert set(map(scenario_of, cells)) == run.scenarios(), f"{arm} lacks a scenario"
        for cell in cells:
            try:
                check_cell(cell, run)
            except AssertionError as wrong:
                raise AssertionError(f"{arm}, {scenario_of(cell)}: {wrong}") from wrong


def is_left_out(cell):
    """Some arms are measured alone only."""
    # What its caller packs, or keeps apart, can't follow back to back.
    isolated = cell["arm"].endswith(("-bare", "-external"))
    return isolated and cell["mode"] == "pipelined" and cell["status"] == "skipped"


def check_places(machine, run):
    assert [each["rank"] for each in machine["ranks"]] == list(range(run.ranks))
    assert all(each["cpu_cores"] > 0 for each in machine["ranks"]), "a rank without a core"
    paths = {(each["source"], each["target"]) for each in machine["paths"]}
    gpus = range(len(machine["gpus"]))
    assert paths == set(itertools.permutations(gpus, 2)), "a pair of GPUs without an entry"
    assert machine["limits"]["shared_memory_bytes"] is None or (
        machine["limits"]["shared_memory_bytes"] >= 0
    )


def check_telemetry(telemetry, run):
    """Readings by round and rank; where there are none, why not."""
    if run.device == "host":
        assert telemetry["not_readable"] == "the host device has no GPU to read"
        assert telemetry["warm_up"] is None
        assert not telemetry["scenarios"]
        return
    if not telemetry["scenarios"]:
        assert telemetry["not_readable"], "no readings, and no reason"
        return
    named = {(each["shape"], each["dtype"], each["degree"]) for each in telemetry["scenarios"]}
    assert named == {scenario[:3] for scenario in run.scenarios()}
    for scenario in telemetry["scenarios"]:
        for name, column in scenario.items():
            is_column = name.endswith(("_mhz", "_mw", "_c", "_bytes")) and name != "sm_drift_mhz"
            if not is_column or column is None:
                continue
            taken = [len(column), *{len(each) for each in column}]
            assert taken == [run.rounds, run.ranks], f"rounds, ranks of {name} are {taken}"


def check_cell(cell, run):
    if is_left_out(cell):
        assert "back to back" in cell["reason"]
        return
    # NCCL has arms that not every machine can run; the others must.
    if cell["status"] == "skipped" and cell["arm"].startswith("nccl"):
        assert cell["reason"], "skipped without a reason"
        return
    assert cell["status"] == "measured", f"{cell['status']}: {cell['reason']}"
    check_measured(cell, run)


def check_trace(trace, ranks):
    events = trace["traceEvents"]
    named = {each["pid"]: each["args"]["name"] for each in events if each["name"] == "process_name"}
    assert named == {rank: f"rank {rank}" for rank in range(ranks)}, f"ranks: {named}"
    for rank in range(ranks):
        work = [each for each in events if each["pid"] == rank and each["ph"] == "X"]
        assert any("copy" in each["cat"] for each in work), f"no copy of rank {rank}"
        assert all(each["dur"] >= 0 and each["ts"] >= 0 for each in work)
    starts = sorted(each["id"] for each in events if each["ph"] == "s")
    ends = sorted(each["id"] for each in events if each["ph"] == "f")
    assert starts, "no flow from a submit to what it caused"
    assert starts == ends, "a flow with one end only"


def measure(run, folder):
    # The default folder: out/<time>-scatter, with out/latest pointing to it.
    outcome = scatter(run.ranks, *run.arguments())
    assert outcome.exit_code == 0
    latest = folder / "out" / "latest"
    assert latest.is_symlink()
    assert str(latest.resolve().relative_to(folder.resolve())) in outcome.stdout, "says not where"
    check_report(load(latest / "report.json"), run)
    check_trace(load(latest / "trace.json"), run.ranks)
    written = ["report.html", "report.json", "trace.json"]
    assert sorted(each.name for each in latest.iterdir()) == written
    check_table(outcome.stdout, run)


def check_table(text, run):
    tables = text.count("scatter  ")
    assert tables == len(run.scenarios()), f"{tables} tables for {len(run.scenarios())} scenarios"
    for arm in ARMS[run.device]:
        # A skipped arm is told below the others.
        told = len(re.findall(rf"\n  {arm}(?: |: skipped)", text))
        assert told == tables, f"not in every table: {arm}"


def measure_on_gpus(folder):
    ranks = min(launch.gpu_count(), 4)
    if ranks < 2:
        raise launch.Skip("an exchange between GPUs takes two, and a build with CUDA")
    measure(Run(ranks=ranks, degrees=(ranks,), device="cuda"), folder)


def is_measured(cell):
    return cell["status"] == "measured" and cell["checked"]["bytes"] > 0


def write_shapes(folder, **shapes):
    """A file for --scenarios, of shapes by name: batch, tokens, heads, KV heads, head size."""
    fields = ("batch", "tokens", "heads", "kv_heads", "head_dim")
    rows = [{"name": name} | dict(zip(fields, values)) for name, values in shapes.items()]
    file = folder / "shapes.json"
    file.write_text(json.dumps({"shapes": rows}), encoding="utf-8")
    return file


SHORT = ("--device", "host", "--rounds", "2", "--iterations", "1", "--out", "here")


def shared_kv_heads(folder):
    """28 query and 7 KV heads over 2 and 4 ranks: unequal heads, and KV heads that go to several."""
    shapes = write_shapes(folder, shared=(2, 67, 28, 7, 16), one=(1, 64, 8, 1, 16))
    outcome = scatter(4, *SHORT, "--scenarios", shapes, "--degrees", "2,4")
    assert outcome.exit_code == 0
    cells = load(folder / "here" / "report.json")["cells"]
    count = collections.Counter(each["arm"] for each in cells)
    assert set(ARMS["host"]) <= set(count), "an arm is not in the report"
    assert set(count.values()) == {2 * 2 * len(MODES)}, "not every arm in every scenario"
    for cell in cells:
        check_all_right(cell)


def check_all_right(cell):
    measured = is_measured(cell) or is_left_out(cell)
    assert measured, f"{scenario_of(cell)}, {cell['arm']}: {cell['reason']}"
    assert cell["checked"]["mismatched_bytes"] == 0


def fewer_tokens_than_ranks(folder):
    """A rank without tokens sends nothing, awaits nothing and still receives: no claim is refuted."""
    outcome = scatter(4, *SHORT, "--shape", "2,3,8,4", "--degrees", "4")
    assert outcome.exit_code == 0
    for cell in load(folder / "here" / "report.json")["cells"]:
        check_all_right(cell)


def more_pieces_than_a_kernel_takes(folder):
    """An arm that packs with one kernel is skipped, and so is what no stream takes at once."""
    outcome = scatter(4, *SHORT, "--shape", "43,16,4,8", "--degrees", "4")
    assert outcome.exit_code == 0
    cells = load(folder / "here" / "report.json")["cells"]
    for cell in [each for each in cells if each["arm"] == "copy-engine"]:
        if cell["mode"] == "isolated":
            assert is_measured(cell)
        else:
            assert cell["status"] == "skipped" and "operations at once" in cell["reason"], cell
    packed = [each for each in cells if each["arm"] == "mpi"]
    assert packed and all(each["status"] == "skipped" for each in packed)
    assert "516 pitched pieces" in packed[0]["reason"]


def too_large_of_a_set(folder):
    """A shape of a set that has no room is skipped, and the others are measured."""
    shapes = write_shapes(folder, huge=(1, 1 << 24, 256, 256, 256), small=(1, 64, 4, 4, 8))
    outcome = scatter(2, *SHORT, "--scenarios", shapes)
    assert outcome.exit_code == 0
    status = {}
    for cell in load(folder / "here" / "report.json")["cells"]:
        if is_left_out(cell) and cell["shape"] == "small":
            continue
        status.setdefault(cell["shape"], set()).add(cell["status"])
        if cell["shape"] == "huge":
            assert "memory" in cell["reason"]
    assert status == {"huge": {"skipped"}, "small": {"measured"}}
    dry = scatter(2, *SHORT, "--scenarios", shapes, "--dry-run")
    assert dry.exit_code == 0
    assert "huge bf16 U2: skipped: its tensors need" in dry.stdout
    assert re.search("small bf16 U2: .*copy-engine .* MiB a rank", dry.stdout)
    assert "huge" in outcome.stdout, "the table says nothing of the skipped shape"


def schema(folder):
    """Measured and skipped cells alike match the committed schema."""
    if importlib.util.find_spec("jsonschema") is None:
        raise launch.Skip("this python3 has no module jsonschema")
    shapes = write_shapes(folder, huge=(1, 1 << 24, 256, 256, 256), small=(1, 65, 4, 4, 8))
    arms = ("--arms", "all,nccl")
    assert scatter(4, *SHORT, "--scenarios", shapes, "--degrees", "2,4", *arms).exit_code == 0
    report = folder / "here" / "report.json"
    assert {each["status"] for each in load(report)["cells"]} == {"measured", "skipped"}
    checker = [sys.executable, SOURCE / "scripts" / "check_schema.py", report]
    assert subprocess.run(checker, check=False).returncode == 0


def arm_of_another_device(folder):
    """An arm that can't run here, asked for by name, is listed as skipped, with the reason."""
    outcome = scatter(2, *SHORT, "--shape", "1,64,4,8", "--arms", "nccl,copy-engine")
    assert outcome.exit_code == 0
    cells = load(folder / "here" / "report.json")["cells"]
    status = {each["arm"]: (each["status"], each["reason"]) for each in cells}
    assert status["nccl"][0] == "skipped"
    assert status["nccl"][1], "no reason"
    assert status["copy-engine"] == ("measured", None)
    assert status["mpi"] == status["mpi-again"] == ("measured", None), "no reference, no A/A"


def answers_only(*arguments, says, folder):
    """What measures nothing says its piece once, and writes nothing."""
    outcome = scatter(2, *arguments)
    assert outcome.exit_code == 0
    assert outcome.stdout.count(says) == 1, f"'{says}' is not said once"
    assert not outcome.stderr, "something on standard error"
    assert not list(folder.iterdir()), "it wrote something"


def help_text(folder):
    answers_only("--help", says="--iterations", folder=folder)


def list_of_choices(folder):
    answers_only("--list", says="flux.1-dev-1024", folder=folder)


def dry_run(folder):
    shape = ("--shape", "1,256,8,64", "--degrees", "2", "--device", "host")
    answers_only(*shape, "--dry-run", says="1x256x8x64 bf16 U2", folder=folder)


def list_without_mpirun(folder):
    outcome = launch.run([launch.bench(), "scatter", "--list"])
    assert outcome.exit_code == 0
    assert "flux.1-dev-1024" in outcome.stdout
    assert not list(folder.iterdir()), "it wrote something"


CASES = {
    "two_ranks": functools.partial(measure, Run(ranks=2, degrees=(2,))),
    "four_ranks": functools.partial(measure, Run(ranks=4, degrees=(2, 4))),
    "gpus": measure_on_gpus,
} | {
    each.__name__: each
    for each in (
        shared_kv_heads,
        fewer_tokens_than_ranks,
        more_pieces_than_a_kernel_takes,
        too_large_of_a_set,
        schema,
        arm_of_another_device,
        help_text,
        list_of_choices,
        dry_run,
        list_without_mpirun,
    )
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
