"""The command line: options of `ithaca-bench scatter` that have a meaning here, and --beside."""

import argparse
import dataclasses
import difflib
import pathlib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

from . import scenarios
from .errors import BadUse
from .scenarios import Scenario, Shape, SizeSweep

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "bench/scenarios/models.json"
REFERENCE = "pytorch-alltoall"
NOISE_FLOOR = f"{REFERENCE}-again"
ARMS = {
    REFERENCE: "pack, all_to_all_single and relayout, one tensor after the other",
    "pytorch-alltoall-packed": "V, Q and K in one all_to_all_single",
    "pytorch-symm-mem": "strided copy_ into the peers' symmetric memory, on a side stream",
}
# Those of ithaca-bench.
DEFAULT_SHAPES = ("flux.1-dev-1024", "minimax-h3-ablation-u4")
COMMAND = "torchrun --standalone --nproc-per-node=2 scripts/compare_pytorch.py"
_MOST = 1_000_000


@dataclasses.dataclass
class Options:
    arms: list[str]
    shapes: list[str]
    own_shapes: list[Shape]
    sizes: SizeSweep | None
    dtypes: list[str]
    rounds: int
    iterations: int
    device: str  # auto, cuda or host
    seed: int
    timeout_s: float
    scenarios_file: pathlib.Path
    beside: pathlib.Path | None
    out: pathlib.Path | None
    self_check: bool
    arguments: list[str]


class _Parser(argparse.ArgumentParser):
    """argparse that hands its refusals on."""

    def error(self, message: str) -> NoReturn:
        raise BadUse(f"{message}; --help shows the options")


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    known = list(known)
    nearest = difflib.get_close_matches(name, known, 1)
    return f"did you mean '{nearest[0]}'?" if nearest else f"known are {', '.join(known)}"


def _parser() -> _Parser:
    parser = _Parser(
        prog="compare_pytorch.py",
        description="Measures what PyTorch offers for the scatter of Q, K and V, in the way of "
        "'ithaca-bench scatter', checks every byte, and writes a report of the same form.",
        epilog=f"Run it with: {COMMAND} ...    Exit codes of a rank: 0 good, 1 bytes were wrong, "
        "2 bad use, 3 the exchange broke (torchrun itself then returns 1).",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--arms", action="append", metavar="NAMES", help=f"all, or of: {', '.join(ARMS)}")
    add("--shapes", action="append", metavar="NAMES", default=[], help="named shapes, or all")
    add("--shape", action="append", metavar="B,S,H,D", default=[], help="one more shape")
    add("--bytes", metavar="LEAST:MOST:FACTOR", help="sizes instead of shapes, e.g. 64K:256M:4")
    add("--row-bytes", metavar="N", help="with --bytes: bytes of a token for one peer (4096)")
    add("--dtypes", action="append", metavar="NAMES", help="bf16, fp16, fp32, fp8 (bf16)")
    add("--rounds", metavar="N", default="10", help="rounds (10)")
    add("--iterations", metavar="N", default="5", help="samples of an arm in a round (5)")
    add("--device", metavar="KIND", default="auto", help="auto, cuda or host (auto)")
    add("--seed", metavar="N", default="1", help="of the order of arms and of the intervals (1)")
    add("--timeout", metavar="SECONDS", default="30", help="longest wait for a peer (30)")
    add("--scenarios", metavar="FILE", help="file of named shapes")
    add("--beside", metavar="REPORT", help="report.json of 'ithaca-bench scatter' on this machine")
    add("--out", metavar="DIR", help="folder for report.json (out/<time>-pytorch)")
    add("--self-check", action="store_true",
        help="prove every arm on small shapes of every element type, and that a wrong byte is "
        "seen; no report unless --out")  # fmt: skip
    return parser


def _whole(flag: str, text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,20}", text) or not least <= int(text) <= most:
        raise BadUse(f"{flag} '{text}': give a whole number from {least} to {most}")
    return int(text)


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) or not 0.001 <= float(text) <= 86_400:
        raise BadUse(f"--timeout '{text}': give seconds, more than 0 and at most 86400")
    return float(text)


def _names(flag: str, lists: Iterable[str], known: Iterable[str]) -> list[str]:
    """Comma-separated names, each once; `all` stands for all that are known."""
    chosen: dict[str, None] = {}
    known = list(known)
    for name in (name for each in lists for name in each.split(",")):
        if name != "all" and name not in known:
            raise BadUse(f"{flag} '{name}' is unknown; {_did_you_mean(name, known)}")
        chosen |= dict.fromkeys(known if name == "all" else [name])
    return list(chosen)


def _path(flag: str, text: str | None) -> pathlib.Path | None:
    if text == "":
        raise BadUse(f"{flag} is empty")
    return None if text is None else pathlib.Path(text)


def parse(arguments: Sequence[str]) -> Options:
    """Throws `BadUse`; names of shapes are judged by `scenarios_of`."""
    typed = _parser().parse_args(arguments)
    if typed.row_bytes and not typed.bytes:
        raise BadUse("--row-bytes belongs to --bytes: give both, or leave it out")
    if typed.device not in ("auto", "cuda", "host"):
        raise BadUse(f"--device '{typed.device}' is unknown; known are auto, cuda, host")
    row_bytes = _whole("--row-bytes", typed.row_bytes or "4096", 1, 1 << 24)
    options = Options(
        arms=_names("--arms", typed.arms or ["all"], ARMS),
        shapes=typed.shapes,
        own_shapes=[scenarios.parse_shape(each) for each in typed.shape],
        sizes=scenarios.parse_sweep(typed.bytes, row_bytes) if typed.bytes else None,
        dtypes=_names("--dtypes", typed.dtypes or ["bf16"], scenarios.ELEMENT_BYTES),
        rounds=_whole("--rounds", typed.rounds, 2, _MOST),
        iterations=_whole("--iterations", typed.iterations, 1, _MOST),
        device=typed.device,
        seed=_whole("--seed", typed.seed, 0, (1 << 64) - 1),
        timeout_s=_seconds(typed.timeout),
        scenarios_file=_path("--scenarios", typed.scenarios) or MODELS,
        beside=_path("--beside", typed.beside),
        out=_path("--out", typed.out),
        self_check=typed.self_check,
        arguments=list(arguments),
    )
    return _for_self_check(options) if options.self_check else options


def _for_self_check(options: Options) -> Options:
    """Small shapes that take every path: one batch and two, separate and fused projections,
    fewer KV heads than query heads."""
    chosen = [
        Shape("self-check", 1, 512, 32, 32, 128),
        Shape("self-check-batch", 2, 256, 16, 16, 64),
        Shape("self-check-fused-gqa", 2, 256, 32, 16, 64, fused=True),
    ]
    return dataclasses.replace(
        options, shapes=[], own_shapes=chosen, sizes=None, dtypes=list(scenarios.ELEMENT_BYTES),
        rounds=2, iterations=2)  # fmt: skip


def scenarios_of(options: Options, degree: int) -> list[Scenario]:
    """What is to be measured on `degree` ranks, those that can't be run included."""
    lists = options.shapes
    if not lists and not options.own_shapes and not options.sizes:
        lists = ["all"] if options.scenarios_file != MODELS else list(DEFAULT_SHAPES)
    catalog = scenarios.load_catalog(options.scenarios_file) if lists else {}
    typed = {name for each in options.shapes for name in each.split(",")}
    chosen = [(catalog[name], name in typed) for name in _names("--shapes", lists, catalog)]
    known = {shape.name for shape, _ in chosen}
    for own in options.own_shapes:
        if own.name not in known:
            chosen.append((own, True))
            known.add(own.name)
    every = [
        Scenario(shape, dtype, degree, by_name)
        for shape, by_name in chosen
        for dtype in options.dtypes
    ]
    if options.sizes:
        every += scenarios.sized_scenarios(options.sizes, options.dtypes, degree)
    return every


@dataclasses.dataclass(frozen=True)
class Launch:
    """What torchrun says to a rank."""

    rank: int
    size: int
    local_rank: int


def read_launch(environment: Callable[[str], str | None]) -> Launch:
    """Throws `BadUse` unless torchrun started two ranks or more on one host."""
    names = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE")
    values = [environment(name) for name in names]
    if not all(value and value.isdigit() for value in values):
        raise BadUse(f"it takes the ranks of one host, started by torchrun: {COMMAND}")
    rank, size, local_rank, local_size = (int(value) for value in values if value)
    if size < 2:
        raise BadUse(f"an exchange takes at least two ranks: {COMMAND}")
    if local_size != size:
        raise BadUse(f"{size} ranks on several hosts: it takes the ranks of one host, {COMMAND}")
    return Launch(rank, size, local_rank)
