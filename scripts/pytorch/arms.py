"""What is compared. An arm owns its buffers, fixed when it is made: no exchange allocates."""

from typing import Protocol

import torch
import torch.distributed as dist

from .options import NOISE_FLOOR, REFERENCE
from .scenarios import Scenario
from .symmetric_memory import Arena, SymmetricMemory, arena_bytes
from .workload import Workload


class Arm(Protocol):
    """One way to scatter Q, K and V. Everything is enqueued on the current stream, or ordered
    before what follows on it."""

    targets: list[torch.Tensor]  # (B, S_global, H_local, D), by tensor
    memory_bytes: int  # that it holds on this rank

    def exchange(self) -> None: ...

    def release(self) -> None:
        """The reader of the targets is done: peers may write again."""


def _by_peer(source: torch.Tensor, ranks: int) -> torch.Tensor:
    """(B, S_local, H, D) as (U, S_local, B, H_local, D): what goes to each rank, in one place."""
    return source.unflatten(2, (ranks, -1)).permute(2, 1, 0, 3, 4)


def _bytes_of(tensors: list[torch.Tensor]) -> int:
    return sum(each.numel() * each.element_size() for each in tensors)


class AllToAll:
    """What DeepSpeed-Ulysses and USP do: for each tensor a permuted copy, an all_to_all_single, and
    where there is more than one batch a second permuted copy. With one batch the received tensor
    has the final layout already."""

    def __init__(self, load: Workload) -> None:
        self._load, ranks = load, load.world.size
        self._packed = [load.empty(*_by_peer(each, ranks).shape) for each in load.sources]
        self._received = [torch.empty_like(each) for each in self._packed]
        # (U, S_local, B, H_local, D) is (S_global, B, H_local, D).
        self._in_order = [each.flatten(0, 1).transpose(0, 1) for each in self._received]
        self._relayout = load.scenario.shape.batch > 1
        self.targets = (
            [load.empty(*each.shape) for each in self._in_order]
            if self._relayout
            else self._in_order
        )
        self.memory_bytes = _bytes_of(self._packed + self._received) + (
            _bytes_of(self.targets) if self._relayout else 0
        )

    def exchange(self) -> None:
        for index, source in enumerate(self._load.sources):
            self._packed[index].copy_(_by_peer(source, self._load.world.size))
            dist.all_to_all_single(self._received[index], self._packed[index])
            if self._relayout:
                self.targets[index].copy_(self._in_order[index])

    def release(self) -> None:
        """Nobody but this rank writes its targets."""


class AllToAllPacked:
    """V, Q and K side by side in one all_to_all_single: one start-up instead of three, but always a
    permuted copy after it."""

    def __init__(self, load: Workload) -> None:
        self._load, ranks = load, load.world.size
        pieces = [_by_peer(each, ranks) for each in load.sources]
        widths = [piece[0].numel() for piece in pieces]
        self._packed = load.empty(ranks, sum(widths))
        self._received = torch.empty_like(self._packed)

        def cut(whole: torch.Tensor) -> list[torch.Tensor]:
            parts = whole.split(widths, dim=1)
            return [
                part.unflatten(1, piece.shape[1:])
                for part, piece in zip(parts, pieces, strict=True)
            ]

        self._packed_parts, self._received_parts = cut(self._packed), cut(self._received)
        self.targets = [load.empty(*load.target_size(index)) for index in range(len(pieces))]
        self.memory_bytes = _bytes_of([self._packed, self._received, *self.targets])

    def exchange(self) -> None:
        ranks = self._load.world.size
        for part, source in zip(self._packed_parts, self._load.sources, strict=True):
            part.copy_(_by_peer(source, ranks))
        dist.all_to_all_single(self._received, self._packed)
        for target, part in zip(self.targets, self._received_parts, strict=True):
            # (U, S_local, B, H_local, D) to (B, U, S_local, H_local, D).
            target.unflatten(1, (ranks, -1)).copy_(part.permute(2, 0, 1, 3, 4))

    def release(self) -> None:
        """Nobody but this rank writes its targets."""


def make_arm(name: str, load: Workload, arena: Arena | None) -> Arm:
    if name in (REFERENCE, NOISE_FLOOR):
        return AllToAll(load)
    if name == "pytorch-alltoall-packed":
        return AllToAllPacked(load)
    assert arena is not None
    return SymmetricMemory(load, arena)


def required_bytes(name: str, of: Scenario) -> int:
    """An upper bound of what an arm holds on one rank."""
    return arena_bytes(of) if name == "pytorch-symm-mem" else 3 * of.source_bytes
