"""`ithaca-validate probe` over real MPI ranks: the health check of a node."""

import itertools
import json
import re
import sys

import launch

STEPS = ("mapping", "copy", "stream_write", "staged_copy")
NOTE = "Measured on the host device: the times say nothing about GPUs."


def probe(ranks, *arguments):
    return launch.mpirun(launch.ranks(ranks, launch.validate(), "probe", *arguments))


def check_whole(outcome, file, ranks, device):
    """Every ordered pair was tried in both ways, measured, and is healthy."""
    assert outcome.exit_code == 0
    pairs = list(itertools.permutations(range(ranks), 2))
    assert f"healthy: all {len(pairs)} paths work" in outcome.stdout
    for source, target in pairs:
        assert len(re.findall(rf"^ +{source} -> {target} ", outcome.stdout, re.MULTILINE)) == 1
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found["healthy"] is True and found["device"] == device
    assert [each["rank"] for each in found["ranks"]] == list(range(ranks))
    assert [(each["source"], each["target"]) for each in found["paths"]] == pairs
    for path in found["paths"]:
        for way in ("by_descriptor", "by_handle"):
            assert path[way] == dict.fromkeys(STEPS), f"{way}: {path[way]}"
        assert path["ceiling_gbps"] > 0 and path["handshake_us"] > 0
    return found


def three_ranks(folder):
    outcome = probe(3, "--device", "host", "--json", folder / "found.json")
    found = check_whole(outcome, folder / "found.json", 3, "host")
    assert NOTE in outcome.stdout and found["note"] == NOTE
    assert {each["link"] for each in found["paths"]} == {"host"}


def one_rank(_folder):
    outcome = probe(1, "--device", "host")
    assert outcome.exit_code == 2
    assert "one rank has nobody to exchange with: start at least 2" in outcome.text


def without_mpirun(_folder):
    outcome = launch.run([launch.validate(), "probe", "--device", "host"])
    assert outcome.exit_code == 2
    assert "mpirun -np 2 ithaca-validate probe" in outcome.text


def nowhere_to_write(_folder):
    outcome = probe(2, "--device", "host", "--json", "/dev/null/found.json")
    assert outcome.exit_code == 2
    assert "/dev/null/found.json" in outcome.stderr


def gpus(folder):
    ranks = min(launch.gpu_count(), 8)
    if ranks < 2:
        raise launch.Skip("a path between GPUs takes two, and a build with CUDA")
    check_whole(probe(ranks, "--json", folder / "found.json"), folder / "found.json", ranks, "cuda")


CASES = {
    each.__name__: each for each in (three_ranks, one_rank, without_mpirun, nowhere_to_write, gpus)
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
