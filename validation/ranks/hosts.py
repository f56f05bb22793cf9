"""One mpirun over several hosts: groups that lie on one use the copy engine, others fall back.

The hosts are namespaces of this machine (two_hosts.py).
"""

import importlib.util
import itertools
import json
import pathlib
import subprocess
import sys

import launch
import two_hosts

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SMALL = ("--device", "host", "--rounds", "2", "--iterations", "1", "--dtypes", "bf16")
SHAPE = ("--shape", "1,64,8,16")
FIRST = "copy-engine: the first choice"
SPANS = "the ranks are on 2 different hosts"
FELL_BACK = f"mpi: passed over: copy-engine: {SPANS}; copy-engine-ipc: {SPANS}"


def scatter(folder, slots, mapping, *arguments):
    """Runs the comparison; returns its report."""
    words = (launch.bench(), "scatter", *SMALL, *SHAPE, *arguments, "--out", folder / "here")
    with two_hosts.two_hosts(folder) as (hosts, agent):
        job = launch.ranks(sum(slots), *words)
        outcome = two_hosts.mpirun(hosts, agent, slots, mapping, *job)
    assert outcome.exit_code == 0
    assert f"{sum(slots)} ranks of 2 hosts on the host device" in outcome.stdout
    report = json.loads((folder / "here" / "report.json").read_text(encoding="utf-8"))
    assert report["run"]["complete"] is True
    check_cells(report)
    check_schema(folder / "here" / "report.json")
    check_trace(folder / "here" / "trace.json")
    return report


def check_cells(report):
    """Every arm is measured and right, or skipped with the reason."""
    for cell in report["cells"]:
        if cell["status"] == "skipped":
            not_so = ("exchanges back to back",) if cell["mode"] == "pipelined" else ()
            assert cell["reason"] and any(each in cell["reason"] for each in (SPANS, *not_so))
            continue
        assert cell["status"] == "measured", cell["reason"]
        assert cell["checked"]["bytes"] > 0 and cell["checked"]["mismatched_bytes"] == 0


def check_schema(report):
    if importlib.util.find_spec("jsonschema") is None:
        return
    checker = SOURCE / "scripts" / "check_schema.py"
    assert subprocess.run([sys.executable, checker, report], check=False).returncode == 0


def check_trace(file):
    """All ranks stand on one clock: the hosts' clocks are one here."""
    trace = json.loads(file.read_text(encoding="utf-8"))
    work = [each for each in trace["traceEvents"] if each["ph"] == "X"]
    assert {each["pid"] for each in work} >= {0, 1}, "a rank left no record"


def cells_of(report, degree, arm):
    found = [each for each in report["cells"] if (each["degree"], each["arm"]) == (degree, arm)]
    assert len(found) == 2, f"{arm} at U{degree}: {len(found)} cells instead of 2 modes"
    return found


def check_direct(report, degree):
    for cell in cells_of(report, degree, "communicator"):
        assert cell["way"] == FIRST
        assert "ceiling_share" in cell["metrics"]
    for cell in cells_of(report, degree, "copy-engine"):
        assert cell["status"] == "measured"


def check_fallen_back(report, degree):
    for cell in cells_of(report, degree, "communicator"):
        assert cell["way"] == FELL_BACK
        assert "ceiling_share" not in cell["metrics"], "a ceiling that nobody measured"
    for arm in ("copy-engine", "copy-engine-ipc", "push", "push-exchange", "hybrid"):
        for cell in cells_of(report, degree, arm):
            assert (cell["status"], cell["reason"]) == ("skipped", SPANS)


def check_places(report, hosts):
    assert [each["host"] for each in report["machine"]["ranks"]] == hosts
    pairs = [(each["source"], each["target"]) for each in report["links"]["ceilings"]]
    expected = [pair for pair in itertools.permutations(range(len(hosts)), 2)
                if hosts[pair[0]] == hosts[pair[1]]]
    assert pairs == expected, "ceilings of other pairs than those of one host"
    assert (report["links"]["handshake_us"] is None) == (not expected)


def groups_on_one_host(folder):
    """Round about the hosts, {0, 2} and {1, 3} have one each; all four ranks don't."""
    report = scatter(folder, (2, 2), "node", "--degrees", "2,4")
    check_places(report, [0, 1, 0, 1])
    check_direct(report, 2)
    check_fallen_back(report, 4)


def groups_over_both_hosts(folder):
    """Host by host, both groups of two span."""
    report = scatter(folder, (2, 2), "slot", "--degrees", "2")
    check_places(report, [0, 0, 1, 1])
    check_fallen_back(report, 2)


def groups_that_differ(folder):
    """One group has a host of its own and the other hasn't: each takes its way, and says so."""
    report = scatter(folder, (3, 1), "slot", "--degrees", "2")
    check_places(report, [0, 0, 0, 1])
    for cell in cells_of(report, 2, "communicator"):
        assert cell["way"] == f"ranks 0, 2: {FIRST} | ranks 1, 3: {FELL_BACK}"
        assert "ceiling_share" not in cell["metrics"], "a ceiling that nobody measured"
    for cell in cells_of(report, 2, "copy-engine"):
        assert cell["status"] == "skipped"
        assert cell["reason"] == f"rank 1: {SPANS}; rank 3: {SPANS}"


def one_rank_a_host(folder):
    report = scatter(folder, (1, 1), "slot")
    check_places(report, [0, 1])
    check_fallen_back(report, 2)


def validate(folder):
    """What spans is proven over MPI, and what can't is skipped as a whole."""
    job = launch.ranks(3, launch.validate(), "--device", "host", "--dtypes", "bf16")
    with two_hosts.two_hosts(folder) as (hosts, agent):
        outcome = two_hosts.mpirun(hosts, agent, (2, 1), "slot", *job)
    assert outcome.exit_code == 0
    skipped = [line for line in outcome.stdout.splitlines() if line.startswith("skip copy-engine")]
    assert any(line.endswith(SPANS) for line in skipped), "not skipped for its hosts"
    assert "ok   copy-engine" not in outcome.stdout
    assert "ok   mpi bf16" in outcome.stdout
    assert " 0 failed" in outcome.stdout


def probe(folder):
    """Only paths inside a host are tried."""
    def start(slots):
        job = launch.ranks(sum(slots), launch.validate(), "probe", "--device", "host")
        with two_hosts.two_hosts(folder) as (hosts, agent):
            return two_hosts.mpirun(hosts, agent, slots, "slot", *job)

    outcome = start((2, 1))
    assert outcome.exit_code == 0
    assert "0 -> 1" in outcome.stdout and "1 -> 0" in outcome.stdout
    assert "healthy: all 2 paths work" in outcome.stdout
    outcome = start((1, 1))
    assert outcome.exit_code == 2
    assert "no two ranks are on one host" in outcome.text


CASES = {
    each.__name__: each
    for each in (
        groups_on_one_host,
        groups_over_both_hosts,
        groups_that_differ,
        one_rank_a_host,
        validate,
        probe,
    )
}

if __name__ == "__main__":
    if "--list" not in sys.argv:
        two_hosts.become_root_of_namespaces()
    sys.exit(launch.main(CASES))
