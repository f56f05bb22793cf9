"""`ithaca-validate` over real MPI ranks."""

import functools
import re
import sys

import launch

LINE = re.compile(r"^(ok|skip|FAIL) +(\S+) (bf16|fp16) (\S.*)$", re.MULTILINE)
# Those that must be there, besides others.
ARMS = {"host": {"copy-engine", "push", "mpi"}, "cuda": {"copy-engine", "push", "nccl"}}


def prove(ranks, device, *flags):
    job = launch.ranks(ranks, launch.validate(), "--device", device, *flags)
    outcome = launch.mpirun(job)
    assert outcome.exit_code == 0
    # One line a check, from one rank only.
    lines = LINE.findall(outcome.stdout)
    checks = [line[1:] for line in lines]
    assert len(checks) == len(set(checks)), "a check is told more than once"
    assert not [line for line in lines if line[0] == "FAIL"]
    assert ARMS[device] <= {arm for _, arm, _, _ in lines}, "an arm was not checked"
    done = {(arm, dtype) for word, arm, dtype, _ in lines if word == "ok"}
    assert {("copy-engine", "bf16"), ("copy-engine", "fp16")} <= done
    passed = sum(line[0] == "ok" for line in lines)
    assert f"{passed} checks passed, 0 failed, {len(lines) - passed} skipped" in outcome.stdout


def nothing_to_check(_folder):
    job = launch.ranks(2, launch.validate(), "--device", "host", "--arms", "nccl")
    outcome = launch.mpirun(job)
    assert outcome.exit_code == 2
    assert "skip nccl: it does not run on the host device" in outcome.stdout
    assert "0 checks passed, 0 failed, 1 skipped" in outcome.stdout


def on_host(ranks, _folder):
    prove(ranks, "host")


def on_gpus(_folder):
    gpus = launch.gpu_count()
    if gpus == 0:
        raise launch.Skip("no GPU, or a build without CUDA")
    if gpus == 1:
        prove(2, "cuda", "--share-gpu")
    else:
        prove(min(gpus, 4), "cuda")


CASES = {
    "two_ranks": functools.partial(on_host, 2),
    "three_ranks": functools.partial(on_host, 3),
    "four_ranks": functools.partial(on_host, 4),
    "nothing_to_check": nothing_to_check,
    "gpus": on_gpus,
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
