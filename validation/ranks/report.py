"""`ithaca-report html` and `markdown`: bad input, and what runs leave behind for them."""

import dataclasses
import json
import re
import sys

import launch

SMALL = ("--device", "host", "--shape", "1,64,4,8", "--rounds", 5, "--iterations", 1)
SOON_S = 30


@dataclasses.dataclass
class Refused:
    says: str  # what the one line must match
    arguments: tuple


def run_of(folder, *arguments):
    outcome = launch.mpirun(
        launch.ranks(2, launch.bench(), "scatter", *SMALL, *arguments, "--out", folder / "run")
    )
    assert outcome.exit_code == 0
    return folder / "run"


def damaged(file, change):
    """The report beside `file`, changed and under the name of what changes it."""
    report = json.loads(file.read_text(encoding="utf-8"))
    change(report)
    target = file.with_name(f"{change.__name__}.json")
    target.write_text(json.dumps(report), encoding="utf-8")
    return target


def older(report):
    report["schema_version"] = 1


def newer(report):
    report["schema_version"] = 99


def twice(report):
    report["cells"].append(report["cells"][0])


def empty_round(report):
    report["cells"][0]["samples_ns"][0][0] = []


def not_a_number(report):
    report["cells"][0]["metrics"]["time_us"]["value"] = float("nan")


def two_devices(report):
    report["cells"][0]["device"] = "cuda"


def foreign(report):
    report.clear()
    report["traceEvents"] = []


def bad_input(folder):
    """One line that names file and place, exit code 2, and no page."""
    good = run_of(folder) / "report.json"
    truncated = good.with_name("truncated.json")
    truncated.write_bytes(good.read_bytes()[: good.stat().st_size // 2])
    empty = good.with_name("empty.json")
    empty.write_bytes(b"")
    page = folder / "page.html"
    cases = [
        Refused("REPORT is required", (page,)),
        Refused("absent.json: there is no such file", (page, folder / "absent.json")),
        Refused("run: .*(directory|folder|no regular file)", (page, good.parent)),
        Refused("truncated.json is truncated", (page, truncated)),
        Refused("empty.json is empty", (page, empty)),
        Refused("older.json .*schema_version is 1", (page, damaged(good, older))),
        Refused("newer.json .*schema_version is 99", (page, damaged(good, newer))),
        Refused(r"twice.json .*cells\[\d+\] repeats", (page, damaged(good, twice))),
        Refused(r"empty_round.json .*cells\[0\]", (page, damaged(good, empty_round))),
        Refused("not_a_number.json is no JSON", (page, damaged(good, not_a_number))),
        Refused(
            r"two_devices.json .*cells\[0\] is of the device", (page, damaged(good, two_devices))
        ),
        Refused("foreign.json is no report", (page, damaged(good, foreign))),
        Refused("trace.json is no report", (page, good.with_name("trace.json"))),
        Refused("truncated.json", (page, good, truncated)),
        Refused("does not end in .html", (good, good)),
        Refused("/absent/page.html can't be written", ("/absent/page.html", good)),
    ]
    for case in cases:
        refused(case.says, "html", *case.arguments)
        assert not page.exists(), "a page was left"
    for case in cases[2:13]:
        refused(case.says, "markdown", *case.arguments[1:])
    refused("did you mean 'html'", "htlm", page, good)


def refused(says, *arguments):
    outcome = launch.run([launch.report(), *arguments], SOON_S)
    assert outcome.exit_code == 2
    assert outcome.stdout == ""
    assert re.fullmatch(r"ithaca-report: [^\n]+\n", outcome.stderr), "not one line"
    assert re.search(says, outcome.stderr), f"the message does not match '{says}'"


def full_output(folder):
    """What can't be written is said."""
    report = run_of(folder) / "report.json"
    outcome = launch.run(["sh", "-c", f"{launch.report()} markdown {report} >/dev/full"], SOON_S)
    assert outcome.exit_code == 2
    assert "can't be written" in outcome.stderr


def help_with_examples(_):
    """Every command says how it is used."""
    for command in ("html", "markdown"):
        outcome = launch.run([launch.report(), command, "--help"], SOON_S)
        assert outcome.exit_code == 0
        assert f"ithaca-report {command} " in outcome.stdout.partition("Example")[2]


def run_has_its_page(folder):
    """The page of a run is the one that ithaca-report makes of its report."""
    run = run_of(folder)
    made = folder / "made.html"
    outcome = launch.run([launch.report(), "html", made, run / "report.json"], SOON_S)
    assert outcome.exit_code == 0
    assert made.read_bytes() == (run / "report.html").read_bytes()


def markdown_of_a_run(folder):
    """The verdict before all, and the device at its numbers."""
    run = run_of(folder)
    outcome = launch.run([launch.report(), "markdown", run / "report.json"], SOON_S)
    assert outcome.exit_code == 0
    lines = outcome.stdout.splitlines()
    assert lines[0] == "## Ithaca: scatter"
    assert lines[2].startswith("**") and "Decided against mpi: " in lines[2]
    assert any("say nothing about GPUs" in line for line in lines[:8])
    assert "| time on the host device, us |" in outcome.stdout
    assert lines.index("<details>") < 60


CASES = {
    each.__name__: each
    for each in (bad_input, full_output, help_with_examples, run_has_its_page, markdown_of_a_run)
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
