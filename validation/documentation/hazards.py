"""The commands of docs/hazards.md start tests: all that they name is there.

Of a test that was renamed, moved or put together with others the table would go on to speak.
"""

import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "validation" / "ranks"))
import launch  # noqa: E402 (in the folder of the tests with ranks)

TABLE = SOURCE / "docs" / "hazards.md"
ROW = re.compile(r"^\| (\d+) \|.*\| (.+) \| (.+) \|$", re.MULTILINE)
COMMAND = re.compile(r"`(ctest -R|contract) '?([^`']+)'?`")


def output(*command):
    return subprocess.run(
        [str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def ctest_names():
    listed = output("ctest", "--test-dir", os.environ["ITHACA_BUILD"], "--show-only")
    return re.findall(r"^ *Test +#\d+: (.+)$", listed, re.MULTILINE)


def alternatives(pattern):
    """Those of a regular expression that has none within brackets, else itself."""
    return [pattern] if "(" in pattern else pattern.split("|")


def contract_checks(pattern):
    """Names of those that a filter of GoogleTest lets through; suites are not indented."""
    program = os.environ["ITHACA_CONTRACT"]
    listed = output(program, "--gtest_list_tests", f"--gtest_filter={pattern}")
    return [line for line in listed.splitlines() if line.startswith("  ")]


def unmatched(program, pattern, names):
    """Parts of a pattern that start nothing."""
    if program == "contract":
        return [part for part in pattern.split(":") if not contract_checks(part)]
    return [
        part
        for part in alternatives(pattern.replace("\\|", "|"))
        if not any(re.search(part, name) for name in names)
    ]


def every_command_starts_tests(_):
    names = ctest_names()
    commands = COMMAND.findall(TABLE.read_text(encoding="utf-8"))
    assert len(commands) > 40, f"{len(commands)} commands were found"
    idle = [
        f"{program} {part}"
        for program, pattern in commands
        for part in unmatched(program, pattern, names)
    ]
    assert not idle, f"nothing is started by: {idle}"


def every_hazard_has_a_control_and_a_pass(_):
    rows = ROW.findall(TABLE.read_text(encoding="utf-8"))
    assert [int(number) for number, _, _ in rows] == list(range(1, len(rows) + 1)), rows
    assert len(rows) >= 19, f"{len(rows)} hazards"
    bare = [number for number, *cells in rows if not all(map(COMMAND.search, cells))]
    assert not bare, f"without a command: {bare}"


CASES = {
    each.__name__: each
    for each in (every_command_starts_tests, every_hazard_has_a_control_and_a_pass)
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
