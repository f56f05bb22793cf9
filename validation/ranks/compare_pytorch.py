"""scripts/compare_pytorch.py under torchrun, with gloo on the host; skipped without torch."""

import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import types
from unittest import mock

import launch
from compare_pytorch_parts import ARMS, PROGRAM, check_refusal, check_schema, load, recorded
from pytorch import pattern, scenarios

HOST_ARMS = ARMS - {"pytorch-symm-mem"}
SHORT = ("--device", "host", "--rounds", "3", "--iterations", "2")


def need_torch():
    # In a process of its own: a PyTorch whose libraries are missing fails in many ways.
    found = subprocess.run([sys.executable, "-c", "import torch"], capture_output=True, check=False)
    if found.returncode:
        last = found.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise launch.Skip(f"this python3 can't import torch: {' '.join(last)}")


def torchrun(ranks, *arguments, program=PROGRAM):
    need_torch()
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    # Several ranks on few cores: one thread each.
    os.environ["OMP_NUM_THREADS"] = "1"
    return launch.run([*command, f"--nproc-per-node={ranks}", program, *arguments])


def measure(ranks, folder):
    # Out of a set, a shape that can't run is skipped.
    rows = [{"name": name, "tokens": tokens, "heads": 8, "head_dim": 64}
            for name, tokens in (("even", 256), ("uneven", 257), ("huge", 1 << 40))]  # fmt: skip
    pathlib.Path("shapes.json").write_text(json.dumps({"shapes": rows}), encoding="utf-8")
    outcome = torchrun(
        ranks, *SHORT, "--scenarios", "shapes.json", "--shapes", "all", "--shape", "2,64,8,32",
        "--dtypes", "bf16,fp8", "--out", "here")  # fmt: skip
    assert outcome.exit_code == 0
    whole = load(folder / "here" / "report.json")
    check_schema(folder, whole)
    assert whole["run"]["complete"] and whole["run"]["ranks"] == ranks
    assert "say nothing about GPUs" in whole["run"]["note"]
    assert {each["arm"] for each in whole["cells"]} == ARMS
    assert len(whole["cells"]) == 4 * 2 * len(ARMS)
    for cell in whole["cells"]:
        check_cell(cell, ranks)
    assert sorted(each.name for each in (folder / "here").iterdir()) == ["report.json"]


def check_cell(cell, ranks):
    skipped = {"uneven": "257 tokens", "huge": "MiB more memory than is free"}
    if cell["shape"] in skipped:
        assert cell["status"] == "skipped" and skipped[cell["shape"]] in cell["reason"]
    elif cell["arm"] == "pytorch-symm-mem":
        assert cell["status"] == "skipped" and "host device" in cell["reason"]
    else:
        assert cell["status"] == "measured", f"{cell['arm']}: {cell['reason']}"
        assert [len(each) for each in cell["samples_ns"][0]] == [2, 2, 2]
        size = "1x256x8x64" if cell["shape"] == "even" else cell["shape"]
        batch, tokens, heads, head_dim = map(int, size.split("x"))
        element_bytes = scenarios.ELEMENT_BYTES[cell["dtype"]]
        tensors = 3 * batch * tokens * heads * head_dim * element_bytes
        assert cell["checked"] == {"exchanges": 6, "bytes": 6 * tensors, "mismatched_bytes": 0}
        for name in ("speedup", "prepare_ms", "first_exchange_us"):
            assert cell["metrics"][name]["value"] > 0, name
        time_ns = cell["metrics"]["time_us"]["value"] * 1000
        peer_bytes = tensors // ranks // ranks * (ranks - 1)
        assert abs(cell["metrics"]["goodput_gbps"]["value"] - peer_bytes / time_ns) < 1e-9


def self_check(folder):
    outcome = torchrun(2, "--self-check", "--device", "host")
    assert outcome.exit_code == 0
    assert "good after" in outcome.stdout
    assert not list(folder.iterdir()), "it wrote something"


def beside_ithaca_bench(folder):
    need_torch()
    shape = ("--shape", "1,256,8,64")
    job = launch.ranks(2, launch.bench(), "scatter", *SHORT, *shape, "--out", "ithaca")
    assert launch.mpirun(job).exit_code == 0
    outcome = torchrun(2, *SHORT, *shape, "--beside", "ithaca/report.json", "--out", "both")
    assert outcome.exit_code == 0
    merged = load(folder / "both" / "merged.json")
    check_schema(folder, merged)
    assert {"copy-engine", "mpi", *HOST_ARMS} <= {each["arm"] for each in merged["cells"]}
    assert {each["mode"] for each in merged["cells"]} == {"isolated"}
    assert "separate processes" in outcome.stdout
    ours = load(folder / "both" / "report.json")["cells"]
    measured = [each for each in ours if each["status"] == "measured"]
    assert measured and all("ceiling_share" in each["metrics"] for each in measured)


def beside_another_scenario(folder):
    file = folder / "beside.json"
    file.write_text(json.dumps(recorded("scatter")), encoding="utf-8")
    outcome = torchrun(2, *SHORT, "--shape", "1,256,8,64", "--beside", file, "--out", "here")
    check_refusal(outcome.stderr, "not comparable: it is of the cuda device")
    assert outcome.exit_code != 0
    assert not (folder / "here").exists(), "it wrote something"


def beside_damaged(folder):
    """One sentence for all ranks; each way of damage is a case of compare_pytorch_parts."""
    file = folder / "beside.json"
    file.write_text(json.dumps(recorded("scatter") | {"cells": None}), encoding="utf-8")
    outcome = torchrun(2, *SHORT, "--shape", "1,256,8,64", "--beside", file, "--out", "here")
    check_refusal(outcome.stderr, "is no report: 'cells' is not a list")
    check_exit_codes(outcome, 2)
    assert not (folder / "here").exists(), "it wrote something"


def beside_on_one_rank(folder):
    """What one rank can't read stops all."""
    (folder / "driver.py").write_text(
        f"import os, sys; sys.path.insert(0, {str(PROGRAM.parent)!r})\n"
        "import compare_pytorch\n"
        "arguments = sys.argv[1:] + ['--beside', f'beside-{os.environ[\"RANK\"]}.json']\n"
        "sys.exit(compare_pytorch.main(arguments))\n",
        encoding="utf-8",
    )
    text = json.dumps(recorded("scatter"))
    (folder / "beside-0.json").write_text(text, encoding="utf-8")
    outcome = torchrun(2, *SHORT, "--shape", "1,256,8,64", program=folder / "driver.py")
    check_refusal(outcome.stderr, "beside-1.json can't be read")
    check_exit_codes(outcome, 2)


# Asked for by name, and impossible.
IMPOSSIBLE = {
    "uneven_shape": (("--shape", "1,257,8,64"), "1x257x8x64 bf16 U2 can't run: 257 tokens are no"),
    "huge_shape": (("--shape", "1,99999999998,8,8"), "can't run: .* MiB more memory than is free"),
    "named_shape": (("--scenarios", "shapes.json", "--shapes", "all,odd"), "odd bf16 U2 can't run"),
    "huge_size": (("--bytes", "999999G:999999G:2"), "999999GiB-a-peer bf16 U2 can't run"),
    "endless_size": (("--bytes", "99999999999999G:99999999999999G:2"), "U2 can't run"),
}  # fmt: skip


def impossible(arguments, says, folder):
    rows = [{"name": "odd", "tokens": 257, "heads": 8, "head_dim": 64}]
    (folder / "shapes.json").write_text(json.dumps({"shapes": rows}), encoding="utf-8")
    outcome = torchrun(2, *SHORT, *arguments, "--out", "here")
    check_refusal(outcome.stderr, says)
    check_exit_codes(outcome, 2)
    assert not (folder / "here").exists(), "it wrote something"


def self_check_of_uneven_ranks(_):
    """It proves nothing where nothing can run."""
    outcome = torchrun(3, "--self-check", "--device", "host")
    check_refusal(outcome.stderr, "self-check bf16 U3 can't run: 512 tokens")
    check_exit_codes(outcome, 2)
    assert "good after" not in outcome.stdout


def check_exit_codes(outcome, expected):
    """Those of the ranks, by what torchrun, itself ending with 1, says of them. It ends the rest when
    the first is gone."""
    assert outcome.exit_code == 1
    codes = re.findall(r"exitcode *: (-?\d+)", outcome.stderr)
    ended = {int(each) for each in codes} - {-signal.SIGTERM}
    assert ended == {expected}, f"exit codes {codes}"


def unknown_shape(_):
    outcome = torchrun(2, *SHORT, "--shapes", "flux.1-dev-1023")
    check_refusal(outcome.stderr, "--shapes 'flux.1-dev-1023'.*did you mean 'flux.1-dev-1024'")
    assert outcome.exit_code != 0


# What takes the place of an arm's exchange, which is `right`.
FAULTS = {
    # The contents of the first exchange are sent in every later one.
    "stale_source": "sources = arm._load.sources\n"
    "    arm.first = getattr(arm, 'first', None) or [each.clone() for each in sources]\n"
    "    arm._load.sources = arm.first\n"
    "    right(arm)\n"
    "    arm._load.sources = sources",
    # What arrived is disturbed on one rank.
    "wrong_bytes": "right(arm)\n"
    "    if arm._load.world.rank == 1: arm.targets[2].view(torch.uint8)[0, 3].fill_(0)",
    # Nothing arrives at all: the poison must show.
    "nothing_arrives": "pass",
}


def wrong_bytes(fault, folder):
    """They refute their arm, no number stands under its name, and the others are measured."""
    driver = folder / "driver.py"
    driver.write_text(
        f"import sys; sys.path.insert(0, {str(PROGRAM.parent)!r})\n"
        "import torch, compare_pytorch\n"
        "from pytorch import arms\n"
        "right = arms.AllToAllPacked.exchange\n"
        "def exchange(arm):\n"
        f"    {fault}\n"
        "arms.AllToAllPacked.exchange = exchange\n"
        "sys.exit(compare_pytorch.main(sys.argv[1:]))\n",
        encoding="utf-8",
    )
    outcome = torchrun(2, *SHORT, "--shape", "1,64,4,8", "--out", "here", program=driver)
    assert outcome.exit_code == 1
    whole = load(folder / "here" / "report.json")
    check_schema(folder, whole)
    for cell in whole["cells"]:
        if cell["arm"] == "pytorch-alltoall-packed":
            assert cell["status"] == "refuted" and "bytes were wrong" in cell["reason"]
            assert not cell["samples_ns"] and not cell["metrics"]
        elif cell["arm"] in HOST_ARMS:
            assert cell["status"] == "measured", cell["reason"]


def symmetric_memory_layout(_):
    """The views that symmetric memory copies between, on tensors of the host: every rank's targets
    hold what they must."""
    need_torch()
    import torch
    from pytorch import symmetric_memory, workload

    def fake_world(rank, ranks):
        return types.SimpleNamespace(rank=rank, size=ranks, device=torch.device("cpu"))

    class FakeArena:
        def __init__(self, rank, memories):
            self.rank, self.size, self._memories = rank, len(memories), memories
            self.peers = [(rank + step) % self.size for step in range(1, self.size)]

        def tensor(self, rank, size, dtype, at_byte):
            count = torch.Size(size).numel() * dtype.itemsize
            return self._memories[rank][at_byte : at_byte + count].view(dtype).view(size)

    def exchange(of):
        memories = [
            torch.zeros(symmetric_memory.arena_bytes(of), dtype=torch.uint8)
            for _ in range(of.degree)
        ]
        loads = [workload.Workload(fake_world(rank, of.degree), of) for rank in range(of.degree)]
        made = [
            symmetric_memory.SymmetricMemory(each, FakeArena(rank, memories))
            for rank, each in enumerate(loads)
        ]
        for rank, arm in enumerate(made):
            loads[rank].fill(5)
            for source, target in (*arm._to_peers, *arm._own):
                target.copy_(source)
        for rank, arm in enumerate(made):
            loads[rank].check(arm.targets, 5)
            assert loads[rank].take_mismatched() == 0, f"{of}, rank {rank}"
            loads[rank].check(arm.targets, 6)
            assert loads[rank].take_mismatched() > 0, "an exchange too late goes unnoticed"

    with mock.patch("torch.cuda.Stream"):
        for fused in (False, True):
            for head_dim, dtype in ((16, "bf16"), (12, "bf16"), (8, "fp8"), (16, "fp32")):
                shape = scenarios.Shape("x", 2, 24, 12, 4, head_dim, fused)
                exchange(scenarios.Scenario(shape, dtype, 4))
                exchange(scenarios.Scenario(shape, dtype, 2))


def pattern_of_tensors(_):
    """What tensors compute is what the definition says."""
    need_torch()
    import torch
    from pytorch import workload

    seed = pattern.pattern_seed(3, 1, 77)
    words = [0, 1, 2, 1000, (1 << 40) + 3]
    found = workload.pattern_words(seed, torch.tensor(words)).tolist()
    assert found == [pattern.signed(pattern.pattern_word(seed, each)) for each in words]


CASES = {
    **{f"fault_{name}": functools.partial(wrong_bytes, fault) for name, fault in FAULTS.items()},
    **{f"impossible_{name}": functools.partial(impossible, *of) for name, of in IMPOSSIBLE.items()},
    "two_ranks": functools.partial(measure, 2),
    "four_ranks": functools.partial(measure, 4),
} | {
    each.__name__: each
    for each in (
        self_check,
        beside_ithaca_bench,
        beside_another_scenario,
        beside_damaged,
        beside_on_one_rank,
        self_check_of_uneven_ranks,
        unknown_shape,
        symmetric_memory_layout,
        pattern_of_tensors,
    )
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
