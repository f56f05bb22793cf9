"""A comparison from its first to its last sample, in the way of bench/campaign.cpp."""

import dataclasses
import pathlib
import time
from collections.abc import Callable
from typing import Any

import torch

from . import arms, beside, metrics, report, statistics, symmetric_memory
from .arms import Arm
from .errors import BadUse
from .options import NOISE_FLOOR, REFERENCE, Options, scenarios_of
from .report import Cell, Report
from .scenarios import Scenario
from .start_gate import Clock, CudaClock, Exchange, HostClock, Sample
from .symmetric_memory import Arena
from .table import summary
from .workload import Workload
from .world import World, gpu_of

_SYMMETRIC = "pytorch-symm-mem"
_SETTLING_NS = 1_000_000_000
_TOO_MUCH = 1 << 52  # bytes, so that what ranks agree on stays a 64-bit number


@dataclasses.dataclass
class Contender:
    """An arm in one scenario, and what was measured of it."""

    name: str
    cell: Cell
    arm: Arm | None = None
    rounds: list[list[int]] = dataclasses.field(default_factory=list)
    submit_ns: list[int] = dataclasses.field(default_factory=list)
    prepare_ns: int | None = None
    first_exchange_ns: int | None = None


def _entrants(options: Options) -> list[str]:
    """The chosen arms, with the reference and its second self for the noise floor."""
    return [*dict.fromkeys([*options.arms, REFERENCE]), NOISE_FLOOR]


def _note(clock: Clock) -> str:
    return (
        f"Measured by scripts/compare_pytorch.py with PyTorch {torch.__version__}. {clock.HOW} "
        "No traced pass: the counts are zero because nothing was counted."
    )


def _machine(world: World) -> dict[str, Any]:
    places = world.gather(report.place_of(world.rank))
    if world.kind == "host":
        return report.describe_machine("host", places, [], None, None)
    nccl = ".".join(map(str, torch.cuda.nccl.version()))
    gpus = world.gather(gpu_of(world))
    return report.describe_machine("cuda", places, gpus, torch.version.cuda, nccl)


class Campaign:
    """Every rank goes through the same steps and holds the same report; rank 0 writes it."""

    def __init__(self, options: Options, world: World) -> None:
        self._options, self._world = options, world
        self._scenarios = scenarios_of(options, world.size)
        self._entrants = _entrants(options)
        self._clock: Clock = CudaClock(world) if world.kind == "cuda" else HostClock(world)
        self._iteration = 0
        self._settled = False
        self._check_works = True
        machine = _machine(world)
        self._report = report.begin(
            machine, options.arguments, options.seed, world.size, _note(self._clock)
        )
        self._beside = self._load_beside()
        self._their_cells: list[Cell] = []
        if self._beside:
            wanted = [report.scenario_of(self._new_cell(each, "")) for each in self._scenarios]
            self._their_cells = beside.comparable_cells(self._beside, machine, wanted)
            self._report["links"] = self._beside["links"]
        self._ceiling_gbps = report.slowest_ceiling_gbps(self._report)
        self._obstacles = [each.obstacle() or self._no_room(each) for each in self._scenarios]
        for scenario, obstacle in zip(self._scenarios, self._obstacles, strict=True):
            if obstacle and scenario.by_name:
                raise BadUse(f"{scenario} can't run: {obstacle}")
        self._folder = self._open_folder()
        self._arena, self._no_arena = self._make_arena()

    def run(self) -> bool:
        """Whether every byte was right and every cell came to its end."""
        with_obstacles = zip(self._scenarios, self._obstacles, strict=True)
        for number, (scenario, obstacle) in enumerate(with_obstacles, 1):
            self._say(f"[{number}/{len(self._scenarios)}] {scenario}")
            cells = [self._new_cell(scenario, name) for name in self._entrants]
            self._report["cells"] += cells
            if obstacle:
                for cell in cells:
                    report.skip(cell, obstacle)
            else:
                self._measure(scenario, cells)
            self._write("report.json", self._report)
        self._report["run"]["complete"] = True
        self._write("report.json", self._report)
        self._conclude()
        statuses = {each["status"] for each in self._report["cells"]}
        return self._check_works and statuses <= {"measured", "skipped"}

    def abandon(self) -> None:
        self._clock.abandon()

    # ---- before ---------------------------------------------------------------------------------

    def _new_cell(self, scenario: Scenario, arm: str) -> Cell:
        return report.new_cell(
            self._world.kind, scenario.shape.name, scenario.dtype, scenario.degree, arm
        )

    def _load_beside(self) -> Report | None:
        """Throws on every rank if one can't take it."""
        loaded, failure = None, ""
        if self._options.beside:
            try:
                loaded = beside.load(self._options.beside)
            except BadUse as refused:
                failure = str(refused)
        failure = self._world.first_failure(failure)
        if failure:
            raise BadUse(failure)
        return loaded

    def _open_folder(self) -> pathlib.Path | None:
        """On rank 0, unless nothing is to be kept. Throws on every rank if it can't be made."""
        folder, failure = None, ""
        if self._world.rank == 0 and not (self._options.self_check and not self._options.out):
            try:
                folder = report.open_folder(self._options.out)
            except BadUse as refused:
                failure = str(refused)
        failure = self._world.first_failure(failure)
        if failure:
            raise BadUse(failure)
        return folder

    def _make_arena(self) -> tuple[Arena | None, str]:
        """The symmetric memory of all scenarios, or why there is none; the same on every rank."""
        if _SYMMETRIC not in self._entrants:
            return None, "not asked for"
        if self._world.kind == "host":
            return None, "symmetric memory is memory of GPUs, and this is the host device"
        possible = [
            scenario
            for scenario, obstacle in zip(self._scenarios, self._obstacles, strict=True)
            if not obstacle
        ]
        if not possible:
            return None, "no scenario can run"
        size = max(map(symmetric_memory.arena_bytes, possible))
        arena, failure = None, ""
        try:
            arena = Arena(self._world, size)
        except (RuntimeError, ImportError, AttributeError) as error:
            failure = f"symmetric memory can't be set up: {error}".splitlines()[0]
        failure = self._world.first_failure(failure)
        return (None, failure) if failure else (arena, "")

    def _no_room(self, scenario: Scenario) -> str:
        """Empty, or why its tensors don't fit; the same on every rank. Judged before anything is
        allocated; the symmetric memory is as large as the largest scenario that fits needs it."""
        held = [each for each in self._entrants if each != _SYMMETRIC or self._world.kind == "cuda"]
        needed = scenario.source_bytes
        needed += sum(arms.required_bytes(each, scenario) for each in held)
        needed = min(needed, _TOO_MUCH)
        missing = self._world.maximum(needed - _free_bytes(self._world) // 10 * 9)[0]
        if missing <= 0:
            return ""
        return (
            f"its tensors need {missing >> 20} MiB more memory than is free: use a smaller shape, "
            "or fewer arms at a time"
        )

    # ---- timed ----------------------------------------------------------------------------------

    def _measure(self, scenario: Scenario, cells: list[Cell]) -> None:
        if self._world.kind == "cuda":
            torch.cuda.empty_cache()  # what the last scenario left fits another size badly
        load = Workload(self._world, scenario)
        contenders = [self._contender(load, cell) for cell in cells]
        ready = [each for each in contenders if each.arm]
        for each in ready:
            for _ in range(2):
                self._warm_up(load, each)
            self._blame(load, each)
        self._let_clocks_settle(load, ready[0])
        if self._options.self_check:
            self._prove_the_check(load, ready[0])
        order = statistics.balanced_rounds(len(ready), self._options.rounds, self._options.seed)
        for cells_of_round in order:
            for index in cells_of_round:
                self._round(load, ready[index])
        self._settle(scenario, ready)
        # No rank frees what another still writes.
        self._world.barrier()

    def _let_clocks_settle(self, load: Workload, who: Contender) -> None:
        """Exchanges for a second before the first sample: the GPUs come from idle."""
        if self._world.kind == "host" or self._settled:
            return
        self._settled = True
        started = time.monotonic_ns()
        # The longest time of all ranks decides, so that all exchange equally often.
        while self._world.maximum(time.monotonic_ns() - started)[0] < _SETTLING_NS:
            self._warm_up(load, who)
        self._blame(load, who)

    def _contender(self, load: Workload, cell: Cell) -> Contender:
        made = Contender(cell["arm"], cell)
        failure = self._no_arena if made.name == _SYMMETRIC else ""
        if not failure:
            before = time.perf_counter_ns()
            try:
                made.arm = arms.make_arm(made.name, load, self._arena)
            except torch.OutOfMemoryError:
                failure = "a rank has no room for its buffers"
            prepare_ns = self._world.maximum(time.perf_counter_ns() - before)[0]
            # The symmetric memory was set up once, for all scenarios: no time of one of them.
            made.prepare_ns = None if made.name == _SYMMETRIC else prepare_ns
            failure = self._world.first_failure(failure)
        if failure:
            made.arm = None
            report.skip(cell, failure)
        return made

    def _warm_up(self, load: Workload, who: Contender) -> None:
        """A checked exchange; an arm's very first is timed."""
        taken_ns, _ = self._exchange(load, who, self._host_time)
        if who.first_exchange_ns is None:
            who.first_exchange_ns = taken_ns

    def _host_time(self, exchange: Exchange) -> Sample:
        """From the submit until this rank is idle, as the host sees it."""
        self._clock.finish()
        self._world.barrier()
        before = time.perf_counter_ns()
        exchange()
        submit_ns = time.perf_counter_ns() - before
        self._clock.finish()
        return time.perf_counter_ns() - before, submit_ns

    def _exchange(
        self, load: Workload, who: Contender, timed: Callable[[Exchange], Sample]
    ) -> Sample:
        """One checked exchange of fresh contents. Elapsed and submit time in ns, the largest of all
        ranks."""
        assert who.arm
        self._iteration += 1
        load.fill(self._iteration)
        sample = timed(who.arm.exchange)
        load.check(who.arm.targets, self._iteration)
        load.poison(who.arm.targets)
        who.arm.release()
        self._clock.finish()
        elapsed_ns, submit_ns = self._world.maximum(*sample)
        return elapsed_ns, submit_ns

    def _round(self, load: Workload, who: Contender) -> None:
        samples = [
            self._exchange(load, who, self._clock.sample) for _ in range(self._options.iterations)
        ]
        who.rounds.append([elapsed_ns for elapsed_ns, _ in samples])
        who.submit_ns += [submit_ns for _, submit_ns in samples]
        checked = who.cell["checked"]
        checked["exchanges"] += len(samples)
        checked["bytes"] += len(samples) * self._world.sum(load.scenario.source_bytes)
        self._blame(load, who)

    def _blame(self, load: Workload, who: Contender) -> None:
        """Bytes that were wrong since the last call are this contender's, and nobody else's."""
        wrong = self._world.sum(load.take_mismatched())
        who.cell["checked"]["mismatched_bytes"] += wrong

    def _prove_the_check(self, load: Workload, who: Contender) -> None:
        """A check that can't fail proves nothing: each rank makes one byte wrong, and it must be
        seen."""
        assert who.arm
        self._iteration += 1
        load.fill(self._iteration)
        who.arm.exchange()
        who.arm.targets[-1].view(torch.uint8)[-1, -1, -1, -1] ^= 1
        load.check(who.arm.targets, self._iteration)
        who.arm.release()
        self._clock.finish()
        found = self._world.sum(load.take_mismatched())
        if found != self._world.size:
            self._say(f"The check is broken: of {self._world.size} wrong bytes it saw {found}.")
            self._check_works = False

    # ---- after ----------------------------------------------------------------------------------

    def _settle(self, scenario: Scenario, ready: list[Contender]) -> None:
        by_name = {each.name: each for each in ready}
        reference = by_name.get(REFERENCE)
        for who in ready:
            assert who.arm
            inputs = metrics.CellInputs(
                samples_ns=who.rounds,
                peer_bytes=scenario.peer_bytes,
                source_bytes=scenario.source_bytes,
                degree=scenario.degree,
                seed=self._options.seed,
                # On the host device a call returns when it is done.
                submit_ns=who.submit_ns if self._world.kind == "cuda" else [],
                prepare_ns=who.prepare_ns,
                first_exchange_ns=who.first_exchange_ns,
                memory_bytes=self._world.maximum(who.arm.memory_bytes)[0],
                ceiling_gbps=self._ceiling_gbps,
            )
            if reference and not reference.cell["checked"]["mismatched_bytes"]:
                inputs.reference_ns = reference.rounds
                timed = sum(not each for each in self._obstacles)
                inputs.comparisons = max(1, timed * (len(ready) - 1))
            report.settle(who.cell, inputs)

    def _write(self, name: str, what: Report) -> None:
        failure = ""
        if self._folder:
            try:
                report.write_whole(what, self._folder / name)
            except BadUse as refused:
                failure = str(refused)
        failure = self._world.first_failure(failure)
        if failure:
            raise BadUse(failure)

    def _conclude(self) -> None:
        """The table, and where the reports are."""
        shown = self._report
        if self._beside:
            shown = beside.merge(self._report, self._beside, self._their_cells)
            self._write("merged.json", shown)
        self._say("")
        self._say(summary(shown))
        if self._folder:
            self._say(f"\nreport  {self._folder / 'report.json'}")
            if self._beside:
                self._say(f"merged  {self._folder / 'merged.json'}")

    def _say(self, line: str) -> None:
        if self._world.rank == 0:
            print(line, flush=True)


def _free_bytes(world: World) -> int:
    if world.kind == "cuda":
        cached = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
        return torch.cuda.mem_get_info()[0] + cached
    lines = pathlib.Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    return int(fields["MemAvailable"].split()[0]) * 1024 // world.size


def run(options: Options, world: World) -> bool:
    """The whole comparison; see `Campaign.run`. What a failing rank holds back is let go."""
    started = time.monotonic()
    campaign = Campaign(options, world)
    try:
        good = campaign.run()
    except BaseException:
        campaign.abandon()
        raise
    if world.rank == 0:
        verdict = "good" if good else "NOT good"
        print(f"{verdict} after {time.monotonic() - started:.0f} s", flush=True)
    return good
