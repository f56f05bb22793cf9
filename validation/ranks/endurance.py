"""`ithaca-validate endurance` over real MPI ranks."""

import re
import sys

import launch

LINE = re.compile(
    r"^ok +(\S+) (\d+) exchanges: rank 0 after 100: (.*); after all: (.*)$", re.MULTILINE
)
HELD = re.compile(r"^(\d+) descriptors, (\d+) threads, (\d+) mappings, ([\d.]+) MiB resident")


def leaves_nothing(ranks, device, exchanges, arms, *flags):
    outcome = launch.mpirun(
        launch.ranks(
            *(ranks, launch.validate(), "endurance", "--device", device),
            *("--exchanges", exchanges, "--arms", ",".join(arms), *flags),
        )
    )
    assert outcome.exit_code == 0
    lines = LINE.findall(outcome.stdout)
    assert [(arm, int(number)) for arm, number, _, _ in lines] == [(arm, exchanges) for arm in arms]
    for _, _, before, after in lines:
        held, still = HELD.match(before), HELD.match(after)
        assert held and still and held.groups()[:2] == still.groups()[:2]


def on_host(_folder):
    leaves_nothing(2, "host", 400, ["copy-engine", "push-exchange", "hybrid"])


def too_few(_folder):
    job = launch.ranks(2, launch.validate(), "endurance", "--device", "host", "--exchanges", "199")
    outcome = launch.mpirun(job)
    assert outcome.exit_code == 2
    assert "--exchanges" in outcome.text


def on_gpus(_folder):
    gpus = launch.gpu_count()
    if gpus < 2:
        raise launch.Skip("fewer than two GPUs, or a build without CUDA")
    leaves_nothing(2, "cuda", 10_000, ["copy-engine", "push-exchange"])


CASES = {"two_ranks": on_host, "too_few_exchanges": too_few, "gpus": on_gpus}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
