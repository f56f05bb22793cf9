"""One rank fails; the others say so, one line each, and nothing is left behind.

The host device is taken, or that named by ITHACA_FAULT_DEVICE (cuda), with ITHACA_FAULT_RANKS ranks
(3). Times are those that the ranks themselves measure; they are told and not judged: that a line
exists shows that it came before the launcher ended its rank.
"""

import contextlib
import functools
import importlib.util
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import uuid

import launch

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DEVICE = os.environ.get("ITHACA_FAULT_DEVICE", "host")
RANKS = int(os.environ.get("ITHACA_FAULT_RANKS", "3"))
# The first is tried at every point in every way.
ARMS = {
    "host": ("copy-engine", "push-exchange", "mpi"),
    "cuda": ("copy-engine", "push-exchange", "copy-engine-ipc", "nccl"),
}
POINTS = (
    *("prepare-before", "prepare-within", "before-exchange", "within-exchange"),
    *("after-last-submit", "gather", "release"),
)
# Of a run that is broken off: enough to last some seconds.
ROUNDS = {"host": 200, "cuda": 2000}[DEVICE]
# Of copy-engine, so that they last some seconds, behind an arm that is soon done (ranks that share
# a GPU have no NCCL).
ARM_BEFORE, EXCHANGES = {"host": ("mpi", 20_000), "cuda": ("nccl", 1_000_000)}[DEVICE]
SOME_POINTS = ("prepare-within", "within-exchange", "gather")
BROKEN = 3
# mpirun's: 128 + SIGKILL for a rank that was killed, 1 after Ctrl-C.
KILLED = 137
INTERRUPTED = 1
LINE = re.compile(r"^ithaca-(?:bench|validate): rank (\d+): (.*)$", re.MULTILINE)
# What every line names: the epoch, and its tags as far as there are any.
STANDING = re.compile(r"epoch \d+ \((tag |tags |no tag)")
NOTICED = re.compile(r"(\d+) ms after the fault")


class Job:
    """A run of ranks that can be found, also when it should be gone."""

    def __init__(self, folder, ranks, program, *arguments):
        self.marker = f"ITHACA_TEST_JOB={uuid.uuid4()}"
        self.temporary = folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.shared_before = set(os.listdir("/dev/shm"))
        name, value = self.marker.split("=")
        command = [os.environ["ITHACA_MPIEXEC"], *launch.MPIRUN_FLAGS]
        command += launch.ranks(ranks, program, *arguments)
        print("$", *command)
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=os.environ | {name: value, "TMPDIR": str(self.temporary)},
        )
        self.text = ""

    def processes(self):
        """Ids of all that live of it, mpirun's own apart."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if self.marker.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
        return [each for each in found if each != self.process.pid]

    def rank(self, number):
        """The id of a rank's process."""
        wanted = f"OMPI_COMM_WORLD_RANK={number}".encode()
        for each in self.processes():
            with contextlib.suppress(OSError):
                folder = pathlib.Path(f"/proc/{each}")
                is_program = (folder / "comm").read_text().startswith("ithaca-")
                if is_program and wanted in (folder / "environ").read_bytes().split(b"\0"):
                    return each
        raise AssertionError(f"rank {number} was not found")

    def end(self, within_s=60):
        """Waits for mpirun; returns its exit code, and looks at what is left."""
        try:
            self.text = self.process.communicate(timeout=within_s)[0]
        except subprocess.TimeoutExpired:
            for each in [*self.processes(), self.process.pid]:
                with contextlib.suppress(OSError):
                    os.kill(each, signal.SIGKILL)
            print(self.process.communicate()[0])
            raise AssertionError(f"still ran after {within_s} s") from None
        print(self.text, f"exit code {self.process.returncode}", sep="\n")
        self.check_nothing_left()
        return self.process.returncode

    def check_nothing_left(self):
        deadline = time.monotonic() + 5
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not self.processes(), "a process is left"
        left = [str(each.relative_to(self.temporary)) for each in self.temporary.rglob("*")]
        assert not left, f"temporary files are left: {left}"
        memory = what_stays(lambda: unmapped_memory() - self.shared_before, deadline)
        assert not memory, f"shared memory is left: {memory}"
        assert not what_stays(ownerless_sockets, deadline), "a socket is left"

    def lines(self):
        """What the ranks said, by rank."""
        told = {}
        for rank, text in LINE.findall(self.text):
            told.setdefault(int(rank), []).append(text)
        return told


def what_stays(found, deadline):
    """Those that `found` finds again and again until `deadline`. Other jobs may run beside this one,
    and for moments theirs look as if nobody had them: memory that is made and not yet mapped, a
    socket that is called and has not accepted, or what the kernel has still to put away."""
    left = found()
    while left and time.monotonic() < deadline:
        time.sleep(0.1)
        left &= found()
    return left


def unmapped_memory():
    """Names in /dev/shm that no process maps."""
    mapped = set()
    for maps in pathlib.Path("/proc").glob("[0-9]*/maps"):
        with contextlib.suppress(OSError):
            mapped |= set(re.findall(r"/dev/shm/(\S+)", maps.read_text(errors="replace")))
    return set(os.listdir("/dev/shm")) - mapped


def ownerless_sockets():
    """Sockets with a name of ours that no process holds."""
    entries = pathlib.Path("/proc/net/unix").read_text(encoding="utf-8").splitlines()
    named = {line.split()[6] for line in entries if line.split()[-1].startswith("@ithaca-")}
    if not named:
        return named
    held = set()
    for each in pathlib.Path("/proc").glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            held |= set(re.findall(r"socket:\[(\d+)\]", os.readlink(each)))
    # One that closed while we looked is no finding.
    entries = pathlib.Path("/proc/net/unix").read_text(encoding="utf-8").splitlines()
    return named & {line.split()[6] for line in entries if len(line.split()) > 6} - held


def check_lines(job, failed, how):
    """One line from every rank that can speak: whose end it is, what it did, and where it stood."""
    told = job.lines()
    for rank, texts in told.items():
        assert len(texts) == 1, f"rank {rank} says more than one line"
    speakers = set(range(RANKS)) - ({failed} if how != "throw" else set())
    assert speakers <= set(told), f"silent: {speakers - set(told)}"
    # One that was stopped is woken by mpirun to be ended, and may say so.
    assert how == "stop" or set(told) == speakers, "the dead spoke"
    for rank in speakers - {failed}:
        text = told[rank][0]
        assert text.startswith("the exchange broke: "), text
        assert STANDING.search(text), f"no epoch: {text}"
        if how == "kill":
            assert f"rank {failed} is gone: its process ended" in text, text
        if how == "throw":
            assert f"rank {failed}" in text and "a planned fault: throw" in text, text


def fail(folder, point, how, arm):
    failed = POINTS.index(point) % 2 * (RANKS - 1)  # the first or the last
    job = Job(
        *(folder, RANKS, launch.validate(), "fault", "--point", point, "--how", how),
        *("--rank", failed, "--arm", arm, "--device", DEVICE, "--share-gpu"),
        *("--timeout", "2" if how == "stop" else "20"),
    )
    exit_code = job.end()
    assert exit_code == (KILLED if how == "kill" else BROKEN), f"exit code {exit_code}"
    check_lines(job, failed, how)
    if point.startswith("prepare"):
        for texts in job.lines().values():
            assert "preparing tags" in texts[0] or "a planned fault" in texts[0], texts
    noticed = [int(each) for each in NOTICED.findall(job.text)]
    print(f"{arm}, {how} at {point}: noticed after {min(noticed)} to {max(noticed)} ms")


def at_all_points(arm, how, folder):
    for point in POINTS if how == "kill" or arm == "copy-engine" else SOME_POINTS:
        fail(folder, point, how, arm)


def no_fault(folder):
    """The control: the same run without a fault ends well, and says nothing of one."""
    for arm in ARMS[DEVICE]:
        job = Job(
            *(folder, RANKS, launch.validate(), "fault", "--how", "none", "--arm", arm),
            *("--device", DEVICE, "--share-gpu"),
        )
        assert job.end() == 0
        assert not job.lines()
        assert f"6 exchanges of {arm}, 0 bytes wrong" in job.text


def gpus(folder):
    """The worst moment, on GPUs: copies are under way."""
    if launch.gpu_count() < 2:
        raise launch.Skip("an exchange between GPUs takes two, and a build with CUDA")
    globals().update(DEVICE="cuda", RANKS=min(launch.gpu_count(), 3))
    for arm in ARMS["cuda"]:
        for how in ("kill", "stop", "throw"):
            fail(folder, "within-exchange", how, arm)


def begin_run(folder):
    """A run in its second scenario, which lasts."""
    out = folder / "run"
    job = Job(
        *(folder, RANKS, launch.bench(), "scatter", "--device", DEVICE, "--out", out),
        *("--shape", f"1,{64 * RANKS},{2 * RANKS},64", "--shape", f"1,{128 * RANKS},{4 * RANKS},64"),
        *("--dtypes", "bf16", "--rounds", ROUNDS, "--iterations", "2", "--timeout", "20"),
        *("--arms", "copy-engine"),
    )
    deadline = time.monotonic() + 120
    while not first_scenario(out / "report.json"):
        assert time.monotonic() < deadline and job.process.poll() is None, "no scenario finished"
        time.sleep(0.02)
    return job, out


def first_scenario(report):
    """Cells of the scenario that is finished, from a report that must be whole at all times."""
    if not report.exists():
        return []
    cells = json.loads(report.read_text(encoding="utf-8"))["cells"]
    shape = f"1x{64 * RANKS}x{2 * RANKS}x64"
    return [each for each in cells if each["shape"] == shape]


def check_report(out):
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["run"]["complete"] is False
    cells = first_scenario(out / "report.json")
    assert len(cells) == 6, "copy-engine, the reference and its second self, in two modes"
    for cell in cells:
        assert len(cell["samples_ns"][0]) == ROUNDS, "a finished cell lost samples"
        assert cell["checked"]["mismatched_bytes"] == 0
    left = sorted(each.name for each in out.iterdir())
    assert left == ["report.html", "report.json"], "a file is left, or none was written"
    assert "The run is not complete" in (out / "report.html").read_text(encoding="utf-8")
    if importlib.util.find_spec("jsonschema") is not None:
        checker = [sys.executable, SOURCE / "scripts" / "check_schema.py", out / "report.json"]
        assert subprocess.run(checker, check=False).returncode == 0


def run_killed(failed, folder):
    job, out = begin_run(folder)
    os.kill(job.rank(failed), signal.SIGKILL)
    assert job.end() == KILLED
    check_lines(job, failed, "kill")
    check_report(out)


def interrupt(job):
    """Ctrl-C reaches mpirun alone, which asks its ranks to end a second later."""
    before = time.monotonic()
    job.process.send_signal(signal.SIGINT)
    assert job.end() == INTERRUPTED
    print(f"mpirun ended {time.monotonic() - before:.2f} s after Ctrl-C")
    told = job.lines()
    assert set(told) == set(range(RANKS)), "a rank said nothing"
    for rank, texts in told.items():
        assert len(texts) == 1, f"rank {rank} says more than one line"
        assert texts[0].startswith("ended by SIGTERM; "), texts
        assert STANDING.search(texts[0]), f"no epoch: {texts}"


def interrupted(folder):
    job, out = begin_run(folder)
    interrupt(job)
    check_report(out)


def interrupted_exchanges(folder):
    """The same of exchanges one behind the other; ranks may share a GPU here."""
    job = Job(
        *(folder, RANKS, launch.validate(), "endurance", "--device", DEVICE, "--share-gpu"),
        *("--arms", f"{ARM_BEFORE},copy-engine", "--exchanges", EXCHANGES),
    )
    assert any(ARM_BEFORE in line for line in job.process.stdout), "no arm was run"
    time.sleep(0.5)
    interrupt(job)


CASES = {"no_fault": no_fault, "gpus": gpus}
for one in ARMS[DEVICE]:
    for way in ("kill", "stop", "throw"):
        CASES[f"{way}_{one}"] = functools.partial(at_all_points, one, way)
CASES |= {
    "report_without_rank_0": functools.partial(run_killed, 0),
    "report_of_rank_0": functools.partial(run_killed, RANKS - 1),
    "interrupted": interrupted,
    "interrupted_exchanges": interrupted_exchanges,
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
