"""ithaca-gate and ithaca-report as a person or CI starts them, and the tracked baselines.

`gate.py --host-launch SEED DIR` runs the host launch that the host's baseline is derived from:

    for seed in 1 2 3; do python3 validation/ranks/gate.py --host-launch $seed out/host/launch-$seed; done
    ithaca-gate --update --baseline reports/baselines/host-2-ranks.json out/host/launch-*/report.json
"""

import functools
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import launch

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BASELINES = SOURCE / "reports" / "baselines"
RECORDED = SOURCE / "reports" / "recorded"
HOST_BASELINE = BASELINES / "host-2-ranks.json"
STAGE = RECORDED / "2026-11-30-h200-x2-stage"
# Not hybrid, which measures where its ways cross and takes now the one, now the other.
HOST_ARMS = (
    "communicator,copy-engine,copy-engine-paced,copy-engine-naive,copy-engine-ipc,"
    "copy-engine-n-buffers,copy-engine-external,copy-engine-flags,copy-engine-staged,push,"
    "push-bulk,push-exchange,mpi,mpi-bare"
)
HOST_RUN = ("scatter", "--device", "host", "--arms", HOST_ARMS, "--shape", "1,64,8,16",
            "--rounds", "2", "--iterations", "1")  # fmt: skip


def gate(*arguments):
    return launch.run([os.environ["ITHACA_GATE"], *arguments])


def report(*arguments):
    return launch.run([os.environ["ITHACA_REPORT"], *arguments])


def host_launch(seed, folder):
    outcome = launch.mpirun(
        launch.ranks(2, launch.bench(), *HOST_RUN, "--seed", str(seed), "--out", folder)
    )
    assert outcome.exit_code == 0
    return pathlib.Path(folder) / "report.json"


def check(outcome, exit_code, *said):
    assert outcome.exit_code == exit_code, f"exit code {outcome.exit_code}, not {exit_code}"
    for each in said:
        assert each in outcome.text, f"not said: {each}"


def host_counts(folder):
    """A host run of this build does as many operations as the tracked baseline says, arm by arm."""
    run = host_launch(4, folder / "host")
    check(gate("--baseline", HOST_BASELINE, run), 0, "pass: 0 ratios and")
    # The same run, with one copy more: the gate is awake.
    changed = json.loads(run.read_text(encoding="utf-8"))
    cell = next(each for each in changed["cells"] if each["status"] == "measured")
    cell["counts"]["peer_copies"] += 1
    run.write_text(json.dumps(changed), encoding="utf-8")
    check(gate("--baseline", HOST_BASELINE, run), 1, "fail:", cell["arm"], "peer_copies")


def host_baseline_is_derived(folder):
    """Three launches more lead to what is tracked, but for their names."""
    runs = [host_launch(seed, folder / f"launch-{seed}") for seed in (1, 2, 3)]
    check(gate("--update", "--baseline", "again.json", *runs), 0, "from 3 launches")
    again, tracked = (
        json.loads(pathlib.Path(each).read_text(encoding="utf-8"))
        for each in ("again.json", HOST_BASELINE)
    )
    assert len({each["content"] for each in again["launches"]}) == 3
    assert [each["seed"] for each in again["launches"]] == [1, 2, 3]
    assert again | {"launches": []} == tracked | {"launches": []}


def recorded_runs_pass_their_baselines(_):
    """Every tracked baseline whose launches are recorded is rebuilt to the byte, and they pass it."""
    replayed = 0
    for baseline in sorted(BASELINES.glob("*.json")):
        launches = json.loads(baseline.read_text(encoding="utf-8"))["launches"]
        files = [next(RECORDED.rglob(each["file"]), None) for each in launches]
        if None in files:
            continue
        check(gate("--update", "--baseline", "again.json", *files), 0)
        assert pathlib.Path("again.json").read_bytes() == baseline.read_bytes(), baseline.name
        for each in files:
            check(gate("--baseline", baseline, each), 0, "pass:")
        replayed += 1
    if not replayed:
        raise launch.Skip("no tracked baseline names recorded launches: three of one run are needed")


def unpacked(packed, to):
    pathlib.Path(to).write_bytes(gzip.decompress(packed.read_bytes()))
    return to


def two_launches_are_no_baseline(_):
    outcome = gate("--update", "--baseline", "b.json", STAGE / "stage-1.json.gz",
                   STAGE / "stage-2.json.gz")  # fmt: skip
    check(outcome, 2, "2 launches make no baseline: give the reports of at least 3")
    assert not pathlib.Path("b.json").exists()


def merged_stage(_):
    """The two recorded launches of a stage, packed or not."""
    second = unpacked(STAGE / "stage-2.json.gz", "stage-2.json")
    check(report("merge", "merged.json", STAGE / "stage-1.json.gz", second), 0,
          "merged.json: 2 launches, ")  # fmt: skip
    merged = json.loads(pathlib.Path("merged.json").read_text(encoding="utf-8"))
    assert {len(each["samples_ns"]) for each in merged["cells"]} == {0, 2}
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        return
    script = [sys.executable, SOURCE / "scripts" / "check_schema.py", "merged.json", HOST_BASELINE]
    check(launch.run(script), 0)


def formats(_):
    """Of a run that can't be compared, too: a machine that reads the answer must not see green."""
    run = unpacked(STAGE / "stage-1.json.gz", "run.json")
    for form, shown in (("json", '"verdict": "invalid"'), ("github", "::error title=ithaca-gate::"),
                        ("text", "invalid: ")):  # fmt: skip
        check(gate("--baseline", HOST_BASELINE, "--format", form, run), 2, shown)
    check(gate("--baseline", HOST_BASELINE, "--format", "junit", "--out", "gate.xml", run), 2)
    suite = xml.etree.ElementTree.parse("gate.xml").getroot().find("testsuite")
    assert int(suite.get("errors")) > 0
    assert len(suite.findall("testcase")) == int(suite.get("tests"))
    quiet = gate("--baseline", HOST_BASELINE, "--quiet", run)
    assert quiet.stdout.count("\n") == 1, "more than the verdict"
    outcome = gate("--baseline", HOST_BASELINE, "--format", "json", "absent.json")
    check(outcome, 2, "absent.json: there is no such file")
    assert json.loads(outcome.stdout)["verdict"] == "invalid"


def colours(_):
    """On a terminal only, and not where NO_COLOR says so."""
    if not shutil.which("script"):
        raise launch.Skip("script(1) is not here, which stands for a terminal")
    run = unpacked(STAGE / "stage-1.json.gz", "run.json")
    command = f"{os.environ['ITHACA_GATE']} --baseline {HOST_BASELINE} --quiet {run}"

    def shown(settings):
        outcome = subprocess.run(["script", "-qec", command, "/dev/null"], capture_output=True,
                                 text=True, env=os.environ | settings, check=False,
                                 stdin=subprocess.DEVNULL)  # fmt: skip
        return outcome.stdout

    assert "\x1b[31minvalid" in shown({"NO_COLOR": ""})
    assert "\x1b[" not in shown({"NO_COLOR": "1"})
    assert "\x1b[" not in gate("--baseline", HOST_BASELINE, run).stdout


def help_has_examples(_):
    for program in (gate, report, functools.partial(report, "merge")):
        check(program("--help"), 0, "Example")


def write(name, text):
    pathlib.Path(name).write_text(text, encoding="utf-8")
    return name


def bad_input(make, said, _):
    outcome = make()
    check(outcome, 2, said)
    assert not outcome.stdout, "an answer on standard output"


def with_report(text):
    return lambda: gate("--baseline", HOST_BASELINE, write("r.json", text))


def with_baseline(text):
    return lambda: gate("--baseline", write("b.json", text), STAGE / "stage-1.json.gz")


BAD_INPUT = {
    "no_arguments": (gate, "--baseline is required"),
    "no_report": (lambda: gate("--baseline", "b.json"), "REPORT is required"),
    "unknown_option": (lambda: gate("--basline", "b.json", "r.json"), "did you mean '--baseline'?"),
    "unknown_format": (lambda: gate("--baseline", "b.json", "--format", "jsn", "r.json"),
                       "did you mean 'json'?"),
    "margin_without_update": (lambda: gate("--baseline", "b.json", "--margin", "speedup=0.1", "r"),
                              "give it with --update"),
    "unknown_metric": (lambda: gate("--update", "--baseline", "b.json", "--margin", "sped=0.1", "r"),
                       "'sped' is no metric that is gated"),
    "large_margin": (lambda: gate("--update", "--baseline", "b.json", "--margin", "speedup=4", "r"),
                     "at most 0.1"),
    "report_truncated": (with_report('{"schema_version": 2,'), "r.json is truncated"),
    "report_empty": (with_report(""), "r.json is empty"),
    "report_foreign": (with_report('{"traceEvents": []}'), "r.json is no report"),
    "report_older": (with_report('{"schema_version": 1}'), "schema_version is 1"),
    "report_newer": (with_report('{"schema_version": 3}'), "schema_version is 3"),
    "report_nan": (with_report('{"schema_version": NaN}'), "r.json is no JSON"),
    "report_folder": (lambda: gate("--baseline", HOST_BASELINE, "."), "is a folder"),
    "baseline_truncated": (with_baseline('{"baseline_version": 1,'), "b.json is truncated"),
    "baseline_foreign": (with_baseline("{}"), "b.json is no baseline"),
    "baseline_older": (with_baseline('{"baseline_version": 0}'), "baseline_version is 0"),
    "baseline_newer": (with_baseline('{"baseline_version": 2}'), "baseline_version is 2"),
    "baseline_is_a_report": (lambda: gate("--baseline", STAGE / "stage-1.json.gz", "r.json"),
                             'lacks the field "baseline_version"'),
    "two_machines": (lambda: report("merge", "m.json", STAGE / "scatter.json.gz",
                                    RECORDED / "2026-11-30-h200-x2" / "nccl-2.32.3" / "report.json"),
                     "its machine has NCCL 2.32.3 where 2.28.9 is expected"),
    "unknown_command": (lambda: report("merg"), "did you mean 'merge'?"),
}  # fmt: skip

CASES = {
    f"bad_input_{name}": functools.partial(bad_input, *bad) for name, bad in BAD_INPUT.items()
} | {
    each.__name__: each
    for each in (
        host_counts,
        host_baseline_is_derived,
        recorded_runs_pass_their_baselines,
        two_launches_are_no_baseline,
        merged_stage,
        formats,
        colours,
        help_has_examples,
    )
}

if __name__ == "__main__":
    if sys.argv[1:2] == ["--host-launch"]:
        print(host_launch(int(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()))
        sys.exit(0)
    sys.exit(launch.main(CASES))
