"""Starts the programs under test, with mpirun or without, and runs one case of a test file.

CTest says in the environment where mpirun and the programs are (see CMakeLists.txt).
"""

import contextlib
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback

# Ranks outnumber cores here and there, and consist of several threads: no rank is to be bound to a
# core. Open MPI refuses root unless told.
MPIRUN_FLAGS = ["--oversubscribe", "--bind-to", "none"] + (
    ["--allow-run-as-root"] if os.geteuid() == 0 else []
)
# CTest's word for a test that could not run; see CMakeLists.txt.
SKIPPED = 77
# Every message of the programs begins so, and is one line.
MESSAGE = re.compile(r"^ithaca-(bench|gate|report|trace|validate): .*", re.MULTILINE)


class Skip(Exception):
    """This machine can't run the case, for the reason given."""


@dataclasses.dataclass
class Outcome:
    exit_code: int
    stdout: str
    stderr: str
    seconds: float

    @property
    def text(self):
        return self.stdout + self.stderr

    @property
    def messages(self):
        return [each.group(0) for each in MESSAGE.finditer(self.text)]


def bench():
    return os.environ["ITHACA_BENCH"]


def validate():
    return os.environ["ITHACA_VALIDATE"]


def report():
    return os.environ["ITHACA_REPORT"]


def trace():
    return os.environ["ITHACA_TRACE"]


def with_nccl():
    return os.environ["ITHACA_WITH_NCCL"] == "1"


def gpu_count():
    """How many GPUs ranks can have here; a build without CUDA knows of none."""
    if os.environ["ITHACA_WITH_CUDA"] != "1":
        return 0
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return 0
    return sum(line.startswith("GPU ") for line in listed.stdout.splitlines())


def ranks(number, program, *arguments, environment=None, folder=None):
    """The part of a mpirun command line that starts `number` ranks alike, in `folder` if given."""
    settings = [f"{name}={value}" for name, value in (environment or {}).items()]
    # Not mpirun's -x, which gives a variable to the ranks of every part.
    place = ["-wdir", folder] if folder else []
    return [
        *("-np", str(number), *place),
        *(["env", *settings] if settings else []),
        *(program, *arguments),
    ]


def mpirun(*parts, within_s=240):
    """Runs ranks of one or more kinds, each a part made by `ranks`, as one job."""
    command = [os.environ["ITHACA_MPIEXEC"], *MPIRUN_FLAGS, *parts[0]]
    for part in parts[1:]:
        command += [":", *part]
    return run(command, within_s)


def run(command, within_s=240):
    """Runs a command to its end. One that takes longer fails, and nothing of it is left behind."""
    started = time.monotonic()
    with subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as process:
        try:
            stdout, stderr = process.communicate(timeout=within_s)
        except subprocess.TimeoutExpired:
            # mpirun ends its ranks when it is asked to end, not when it is killed.
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            stdout, stderr = process.communicate()
            print(stdout, stderr, sep="\n")
            raise AssertionError(f"still ran after {within_s} s") from None
        outcome = Outcome(process.returncode, stdout, stderr, time.monotonic() - started)
    print("$", *command)
    print(f"exit code {outcome.exit_code} after {outcome.seconds:.1f} s", outcome.text, sep="\n")
    return outcome


@contextlib.contextmanager
def empty_folder():
    """A new folder to work in, which is gone afterwards."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="ithaca-") as name:
        os.chdir(name)
        try:
            yield pathlib.Path(name)
        finally:
            os.chdir(before)


def lint_traces(folder):
    """Every trace that a case has left behind must be one that viewers take whole."""
    files = sorted(folder.rglob("trace.json"))
    if files:
        assert run([trace(), "lint", "--quiet", *files]).exit_code == 0, "a trace has faults"


def main(cases):
    """`--list` names the cases, one a line; a name runs that one in an empty folder."""
    if sys.argv[1:] == ["--list"]:
        print(*cases, sep="\n")
        return 0
    try:
        with empty_folder() as folder:
            cases[sys.argv[1]](folder)
            lint_traces(folder)
    except Skip as reason:
        print(f"skipped: {reason}")
        return SKIPPED
    except AssertionError:
        traceback.print_exc()
        return 1
    return 0
