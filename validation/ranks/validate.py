"""`ithaca-validate` over real MPI ranks."""

import functools
import itertools
import re
import sys

import launch

TYPES = ("bf16", "fp16", "fp32", "fp8")
SHARES = (
    *("even shares", "uneven sequence", "uneven heads"),
    *("grouped heads", "fewer KV heads than ranks"),
)
LINE = re.compile(r"^(ok|skip|FAIL) +(\S+) (bf16|fp16|fp32|fp8) ([^:\n]+).*$", re.MULTILINE)
# An arm that is skipped as a whole.
ARM_LINE = re.compile(r"^skip (\S+): .* \((\d+) checks\)$", re.MULTILINE)
# Those that must be there, besides others.
ARMS = {
    "host": {"copy-engine", "push", "mpi", "mpi-bare"},
    "cuda": {"copy-engine", "push", "nccl", "nccl-bare"},
}


def check_matrix(checks, types):
    """Bytes with every type, share and direction; order of calls with the first type."""
    for dtype, share, way in itertools.product(types, SHARES, ("scatter", "gather")):
        assert (dtype, f"{way}, {share}") in checks, f"not checked: {dtype} {way}, {share}"
    ordering = {dtype for dtype, name in checks if name == "calls out of order refused"}
    assert ordering == {types[0]}


def prove(ranks, device, *flags, types=TYPES):
    job = launch.ranks(ranks, launch.validate(), "--device", device, *flags)
    outcome = launch.mpirun(job)
    assert outcome.exit_code == 0
    # One line a check, from one rank only.
    lines = LINE.findall(outcome.stdout)
    checks = [line[1:] for line in lines]
    assert len(checks) == len(set(checks)), "a check is told more than once"
    assert not [line for line in lines if line[0] == "FAIL"]
    left_out = {arm: int(number) for arm, number in ARM_LINE.findall(outcome.stdout)}
    told = {arm for _, arm, _, _ in lines}
    assert not told & set(left_out), "an arm is told both as a whole and check by check"
    assert ARMS[device] <= told | set(left_out), "an arm was not checked"
    assert device == "cuda" or not left_out, "on the host everything can"
    for arm in ARMS[device] - set(left_out):
        check_matrix({line[2:] for line in lines if line[1] == arm}, types)
        # What can't be done by an arm is told as skipped: on the host everything can.
        if device == "host":
            check_matrix({line[2:] for line in lines if line[:2] == ("ok", arm)}, types)
    passed = sum(line[0] == "ok" for line in lines)
    skipped = len(lines) - passed + sum(left_out.values())
    assert f"{passed} checks passed, 0 failed, {skipped} skipped" in outcome.stdout


def nothing_to_check(_folder):
    job = launch.ranks(2, launch.validate(), "--device", "host", "--arms", "nccl")
    outcome = launch.mpirun(job)
    assert outcome.exit_code == 2
    assert "skip nccl: it does not run on the host device" in outcome.stdout
    assert "0 checks passed, 0 failed, 1 skipped" in outcome.stdout


def on_host(ranks, _folder):
    prove(ranks, "host")


def some_types(_folder):
    prove(2, "host", "--dtypes", "fp8,bf16", types=("fp8", "bf16"))


def on_gpus(_folder):
    gpus = launch.gpu_count()
    if gpus == 0:
        raise launch.Skip("no GPU, or a build without CUDA")
    if gpus == 1:
        prove(2, "cuda", "--share-gpu")
    else:
        prove(min(gpus, 4), "cuda")


def simulated(_folder):
    """The simulator needs no mpirun, and explores every arm that it can."""
    command = [launch.validate(), "simulate", "--exchanges", "20", "--seeds", "2"]
    outcome = launch.run(command, 120)
    assert outcome.exit_code == 0
    arms = re.findall(
        r"^ok +([\w-]+): 40 exchanges, \d+ operations, 2 schedules, 0 findings$",
        outcome.stdout,
        re.MULTILINE,
    )
    assert {"copy-engine", "push", "push-exchange", "hybrid"} <= set(arms)


def one_queue(_folder):
    """Streams that share one hardware queue, where one that waits holds back what is behind it."""
    if launch.gpu_count() < 2:
        raise launch.Skip("an exchange between GPUs takes two, and a build with CUDA")
    one = {"CUDA_DEVICE_MAX_CONNECTIONS": "1"}
    job = launch.ranks(
        *(2, launch.validate(), "--dtypes", "bf16", "--timeout", "10"), environment=one
    )
    outcome = launch.mpirun(job)
    assert outcome.exit_code == 0
    assert not [line for line in LINE.findall(outcome.stdout) if line[0] == "FAIL"]


CASES = {
    "two_ranks": functools.partial(on_host, 2),
    "three_ranks": functools.partial(on_host, 3),
    "four_ranks": functools.partial(on_host, 4),
    "some_types": some_types,
    "nothing_to_check": nothing_to_check,
    "simulated": simulated,
    "gpus": on_gpus,
    "gpus_one_queue": one_queue,
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
