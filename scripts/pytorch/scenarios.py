"""Shapes and scenarios, named and divided as ithaca-bench names and divides them."""

import dataclasses
import pathlib
import re
from collections.abc import Iterable
from typing import Any

from . import json_file
from .errors import BadUse
from .pattern import WORD_BYTES

ELEMENT_BYTES = {"bf16": 2, "fp16": 2, "fp32": 4, "fp8": 1}
HEAD_DIM_OF_SIZES = 128
_MOST_BYTES = 4 * 4  # of an element: Q, K, V and O in the widest type, as ithaca-bench counts


@dataclasses.dataclass(frozen=True)
class Shape:
    """The tensors of one attention layer. Sizes are global, over all ranks."""

    name: str
    batch: int
    tokens: int
    heads: int
    kv_heads: int
    head_dim: int
    fused: bool = False  # Q, K and V are views of one projection's rows


@dataclasses.dataclass(frozen=True)
class Tensor:
    """One of the tensors of an exchange: its tag, and its heads over all ranks."""

    tag: str
    heads: int


@dataclasses.dataclass(frozen=True)
class Scenario:
    shape: Shape
    dtype: str
    degree: int
    # The person asked for this very one: an error if it can't run, not skipped as one out of a set.
    by_name: bool = dataclasses.field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.shape.name} {self.dtype} U{self.degree}"

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """In the order of submission: V first, since it needs no preprocessing."""
        of = self.shape
        return Tensor("v", of.kv_heads), Tensor("q", of.heads), Tensor("k", of.kv_heads)

    @property
    def tokens_a_rank(self) -> int:
        return self.shape.tokens // self.degree

    @property
    def head_bytes(self) -> int:
        return self.shape.head_dim * ELEMENT_BYTES[self.dtype]

    def tensor_bytes(self, tensor: Tensor) -> int:
        """Bytes of one tensor on one rank, before the exchange as after it."""
        return self.shape.batch * self.tokens_a_rank * tensor.heads * self.head_bytes

    @property
    def source_bytes(self) -> int:
        return sum(map(self.tensor_bytes, self.tensors))

    @property
    def peer_bytes(self) -> int:
        """Bytes that leave one rank for others in an exchange."""
        return self.source_bytes // self.degree * (self.degree - 1)

    def obstacle(self) -> str:
        """Why these programs can't run it; empty if they can."""
        of, ranks = self.shape, self.degree
        for what, count in (("tokens", of.tokens), ("heads", of.heads), ("KV heads", of.kv_heads)):
            if count % ranks:
                return (
                    f"{count} {what} are no equal shares for {ranks} ranks, and all_to_all_single "
                    "is compared with equal shares only"
                )
        if self.head_bytes % WORD_BYTES:
            return (
                f"a head of {self.head_bytes} bytes is no multiple of {WORD_BYTES}, in which the "
                "check counts"
            )
        return ""


def parse_shape(text: str) -> Shape:
    """Batch, tokens, heads and head size: "1,18944,28,128" is named "1x18944x28x128"."""
    parts = text.split(",")
    if len(parts) != 4 or not all(re.fullmatch("[0-9]{1,19}", part) for part in parts):
        raise BadUse(
            f"--shape '{text}' is no shape: give batch,tokens,heads,head size as whole numbers, "
            "for example 1,18944,28,128"
        )
    batch, tokens, heads, head_dim = sizes = [int(part) for part in parts]
    name = "x".join(map(str, sizes))
    return _checked(Shape(name, batch, tokens, heads, heads, head_dim), "--shape")


def _checked(shape: Shape, place: str) -> Shape:
    for field in ("batch", "tokens", "heads", "kv_heads", "head_dim"):
        if getattr(shape, field) < 1:
            raise BadUse(
                f"{place}: shape '{shape.name}': {field} is {getattr(shape, field)}, not positive"
            )
    if shape.batch * shape.tokens * shape.heads * shape.head_dim * _MOST_BYTES >> 63:
        raise BadUse(f"{place}: shape '{shape.name}': its bytes overflow 63 bits")
    if shape.heads % shape.kv_heads:
        raise BadUse(
            f"{place}: shape '{shape.name}': kv_heads is {shape.kv_heads}, which does not divide "
            f"{shape.heads} heads"
        )
    return shape


def load_catalog(file: pathlib.Path) -> dict[str, Shape]:
    """The named shapes of a file in the form of bench/scenarios/models.json."""
    found = json_file.read(file, str(file))
    rows = found.get("shapes") if isinstance(found, dict) else None
    if not isinstance(rows, list) or not rows:
        raise BadUse(f'{file} holds no list of "shapes"')
    shapes = [_from_row(row, f"{file}: shapes[{at}]") for at, row in enumerate(rows)]
    return {each.name: each for each in shapes}


def _from_row(row: Any, place: str) -> Shape:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        raise BadUse(f"{place} is no object with a name")

    def whole(field: str, otherwise: int | None = None) -> int:
        value = row.get(field, otherwise)
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadUse(f"{place} '{row['name']}': '{field}' is missing or no whole number")
        return value

    heads = whole("heads")
    fused = row.get("qkv_projection") == "fused"
    sizes = (whole("batch", 1), whole("tokens"), heads, whole("kv_heads", heads), whole("head_dim"))
    return _checked(Shape(row["name"], *sizes, fused), place)


@dataclasses.dataclass(frozen=True)
class SizeSweep:
    """Bytes that a rank sends to each peer, all tensors together, from least to most by a factor;
    and the bytes of a row, that is of one token's heads that go to one peer."""

    least_bytes: int
    most_bytes: int
    factor: int
    row_bytes: int = 4096


def _parse_size(text: str) -> int:
    """A whole number with an optional K, M or G; 0 for anything else."""
    shift = {"K": 10, "M": 20, "G": 30}.get(text[-1:], 0)
    digits = text[:-1] if shift else text
    return int(digits) << shift if re.fullmatch("[0-9]{1,15}", digits) else 0


def parse_sweep(text: str, row_bytes: int) -> SizeSweep:
    """Least, most and factor: "64K:256M:4". K, M and G are powers of 1024."""
    sizes = [_parse_size(part) for part in text.split(":")]
    if len(sizes) != 3 or sizes[0] < 1 or sizes[1] < sizes[0] or not 2 <= sizes[2] <= 1024:
        raise BadUse(
            f"--bytes {text} is no range of sizes: give least, most and factor, e.g. 64K:256M:4"
        )
    return SizeSweep(sizes[0], sizes[1], sizes[2], row_bytes)


def _size_name(size: int) -> str:
    unit = 0
    while unit < 3 and size % 1024 == 0:
        size //= 1024
        unit += 1
    return f"{size}{('B', 'KiB', 'MiB', 'GiB')[unit]}"


def sized_shape(size: int, row_bytes: int, dtype: str, degree: int) -> Shape:
    """Heads of 128 channels, as many as fill a row, and the tokens that come nearest to `size`
    bytes a peer from below. It is named by the bytes that it really moves."""
    head_bytes = HEAD_DIM_OF_SIZES * ELEMENT_BYTES[dtype]
    if row_bytes < 1 or row_bytes % head_bytes:
        raise BadUse(
            f"--row-bytes {row_bytes} is no multiple of {head_bytes}, a head of "
            f"{HEAD_DIM_OF_SIZES} elements of {dtype}"
        )
    rows = max(1, size // (3 * row_bytes))
    heads = row_bytes // head_bytes * degree
    name = f"{_size_name(rows * 3 * row_bytes)}-a-peer"
    return Shape(name, 1, rows * degree, heads, heads, HEAD_DIM_OF_SIZES)


def sized_scenarios(sweep: SizeSweep, dtypes: Iterable[str], degree: int) -> list[Scenario]:
    """A scenario for each size and element type, each once."""
    scenarios: dict[Scenario, None] = {}
    size = sweep.least_bytes
    while size <= sweep.most_bytes:
        for dtype in dtypes:
            shape = sized_shape(size, sweep.row_bytes, dtype, degree)
            scenarios[Scenario(shape, dtype, degree, by_name=True)] = None
        size *= sweep.factor
    return list(scenarios)
