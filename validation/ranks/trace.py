"""ithaca-trace on traces of real runs, and on what is none: exit codes, messages, and the report's figures."""

import gzip
import json
import os
import pathlib
import sys

import launch

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RECORDED = SOURCE / "reports" / "recorded"
OF_STAGE = (
    *("stage_ns", "compute_ns", "communication_ns", "to_peers_ns", "within_rank_ns"),
    *("hidden_ns", "exposed_ns"),
)
OF_TAG = ("moving_ns", "overlap_ns", "windows")
SOUND = """[
{"ph":"M","name":"process_name","pid":0,"args":{"name":"rank 0"}},
{"ph":"M","name":"thread_name","pid":0,"tid":1,"args":{"name":"copy"}},
{"ph":"X","name":"a","pid":0,"tid":1,"ts":1.000,"dur":2.000}]"""


def tell(*arguments, code=0):
    outcome = launch.run([launch.trace(), *arguments])
    assert outcome.exit_code == code, (arguments, outcome.exit_code)
    return outcome


def scatter(folder, name, *arguments):
    outcome = launch.mpirun(
        launch.ranks(2, launch.bench(), "scatter", "--device", "host", "--shape", "1,256,8,64",
                     "--rounds", 2, "--iterations", 1, "--out", folder / name, *arguments)
    )  # fmt: skip
    assert outcome.exit_code == 0
    return folder / name / "trace.json"


def of_runs(folder):
    """Two runs of the same arms did the same; one of other arms did other things; merged, both are there."""
    arms = ("--arms", "copy-engine,mpi")
    first, second = scatter(folder, "first", *arms), scatter(folder, "second", *arms)
    other = scatter(folder, "other", "--arms", "push,mpi")
    assert " 0 of them different" in tell("diff", first, second).stdout
    found = json.loads(tell("diff", "--json", first, other, code=1).stdout)
    changed = [each for each in found["operations"] if not each["same_work"]]
    assert found["different"] == len(changed) > 0
    assert all("copy-engine" in each["scope"] or "push" in each["scope"] for each in changed)
    both = folder / "both.json"
    for clock in ("starts", "base"):
        assert "2 traces" in tell("merge", "--clock", clock, both, first, other).stdout
        tell("lint", both)
    one, two, together = (
        json.loads(tell("summary", "--json", file).stdout) for file in (first, other, both)
    )
    for field in ("slices", "instants", "arrows"):
        assert together[field] == one[field] + two[field], field
    assert together["slices"] > 0 and together["arrows"] > 0
    assert [each["name"] for each in together["processes"]] == [
        f"{file}: rank {rank}" for rank in range(2) for file in (first, other)
    ]
    text = tell("summary", first).stdout
    assert "rank 1" in text and "peer_copy" in text


def of_stage(told, report):
    """Every cell's overlap, worked out of the trace, is the report's."""
    scopes = {each["scope"]: each["told"] for each in told["overlaps"]}
    compared = 0
    for cell in report["cells"]:
        expected = cell.get("overlap")
        if not expected:
            continue
        scope = f"{cell['shape']} {cell['dtype']} U{cell['degree']} {cell['schedule']} {cell['arm']}"
        seen = scopes[scope + ("" if cell["mode"] == "isolated" else f" {cell['mode']}")]
        assert seen["process"] == f"rank {expected['rank']}", (scope, seen, expected)
        for field in OF_STAGE:
            assert seen[field] == expected[field], (scope, field, seen, expected)
        for tag, figures in expected["tags"].items():
            assert all(seen["tags"][tag][each] == figures[each] for each in OF_TAG), (scope, tag)
        compared += 1
    assert compared > 0


def overlap(folder):
    outcome = launch.mpirun(
        launch.ranks(4, launch.bench(), "stage", "--device", "host", "--shape", "1,128,8,32",
                     "--degrees", 2, "--rounds", 2, "--iterations", 1, "--out", folder / "run")
    )  # fmt: skip
    if "this build has no BLAS" in outcome.text:
        raise launch.Skip("a stage on the host takes a BLAS")
    assert outcome.exit_code == 0
    report = json.loads((folder / "run" / "report.json").read_text(encoding="utf-8"))
    told = json.loads(tell("summary", "--json", folder / "run" / "trace.json").stdout)
    of_stage(told, report)


def require_zlib(outcome):
    if "no zlib" in outcome.text:
        raise launch.Skip("this build has no zlib")


def recorded(_):
    """The traces in the tree: sound, and of the stage the report's figures."""
    files = sorted(RECORDED.glob("**/trace.json.gz"))
    assert files
    outcome = launch.run([launch.trace(), "lint", *files])
    require_zlib(outcome)
    assert outcome.exit_code == 0
    stage = RECORDED / "2026-11-30-h200-x2-stage"
    with gzip.open(stage / "stage-1.json.gz", "rt", encoding="utf-8") as file:
        report = json.load(file)
    told = json.loads(tell("summary", "--json", stage / "trace.json.gz").stdout)
    of_stage(told, report)


def refused(file, *words):
    """By every command that reads it: one message, which names the file."""
    good = pathlib.Path("good.json")
    good.write_text(SOUND, encoding="utf-8")
    for arguments in (("summary", file), ("merge", "out.json", file), ("diff", good, file)):
        outcome = tell(*arguments, code=2)
        assert len(outcome.messages) == 1 and str(file) in outcome.messages[0], outcome.messages
        assert all(word in outcome.text for word in words), (words, outcome.text)
    outcome = tell("lint", file, code=2)
    assert str(file) in outcome.text and all(word in outcome.text for word in words)
    assert not pathlib.Path("out.json").exists()


def bad_files(folder):
    cases = {
        "empty": (b"", "no JSON"),
        "truncated": (SOUND.encode()[:-30], "no JSON", "line 4"),
        "not-a-number": (SOUND.replace("1.000", "NaN").encode(), "no JSON", "line 4"),
        "beyond-a-double": (SOUND.replace("1.000", "1e999").encode(), "no JSON"),
        "foreign": (b'{"cells": []}', "traceEvents"),
        "no-text": (bytes(range(256)) * 10, "NUL byte"),
        "events-that-are-none": (b"[1, 2]", "event 0 is no object"),
    }
    for name, (content, *words) in cases.items():
        file = folder / name
        file.write_bytes(content)
        refused(file, *words)
    refused(folder / "missing", "no such file")
    refused(folder, "is a folder")
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    refused(pipe, "no regular file")


def packed_files(folder):
    """By what they hold, not by their name; garbage is told from what is cut off."""
    packed = gzip.compress(SOUND.encode())
    file = folder / "packed.json"
    file.write_bytes(packed)
    require_zlib(launch.run([launch.trace(), "lint", file]))
    tell("lint", file)
    for name, content, word in (
        ("cut.json.gz", packed[:-9], "ends too early"),
        ("garbage.json.gz", packed[:12] + bytes(50), "damaged"),
        ("more.json.gz", packed + b"more", "damaged"),
    ):
        (folder / name).write_bytes(content)
        refused(folder / name, word)


def faults(folder):
    """A trace that viewers would not take whole is no bad use: exit code 1, every fault with its place."""
    file = folder / "faulty.json"
    late = '{"ph":"X","name":"b","pid":0,"tid":1,"ts":2,"dur":7}]'
    file.write_text(SOUND[:-1] + "," + late, encoding="utf-8")
    outcome = tell("lint", file, code=1)
    assert f'{file}: event 3 ("b") partly overlaps event 2 ("a")' in outcome.stdout
    assert len(json.loads(tell("lint", "--json", file, code=1).stdout)[str(file)]) == 1
    sound = folder / "sound.json"
    sound.write_text(SOUND, encoding="utf-8")
    assert not tell("lint", "--quiet", sound).text
    outcome = tell("merge", folder / "out.json", "--clock", "base", sound, code=2)
    assert "has no otherData.base_ns" in outcome.text and not (folder / "out.json").exists()


def use(folder):
    """What a person can get wrong, and help."""
    for arguments, words in (
        ((), "lint, summary, merge or diff"),
        (("lnt",), "did you mean 'lint'?"),
        (("lint",), "TRACE"),
        (("summary", "--jsn", "x"), "did you mean '--json'?"),
        (("merge", "out.json", "--clock", "start", "x"), "did you mean 'starts'?"),
        (("merge", "out.json", folder / "x.json", folder / "x.json"), ""),
        (("merge", "/dev/null", folder / "good.json"), "no regular file"),
        (("merge", "/nowhere/out.json", folder / "good.json"), "could not be written"),
    ):
        (folder / "good.json").write_text(SOUND, encoding="utf-8")
        outcome = tell(*arguments, code=2)
        assert len(outcome.messages) == 1 and words in outcome.text, (arguments, outcome.text)
    good = folder / "good.json"
    assert "named twice" in tell("merge", "out.json", good, good, code=2).text
    for command in ((), ("lint",), ("summary",), ("merge",), ("diff",)):
        assert "ithaca-trace" in tell(*command, "--help").stdout
    full = launch.run(["sh", "-c", f"{launch.trace()} summary {good} > /dev/full"])
    assert full.exit_code == 2 and "can't be written" in full.stderr


CASES = {
    case.__name__: case
    for case in (of_runs, overlap, recorded, bad_files, packed_files, faults, use)
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
