"""The scatter by torch.distributed._symmetric_memory (read in PyTorch 2.11): straight into the
peers' targets, without pack and relayout. Multicast is off (see compare_pytorch.py); no multimem
operation is used."""

import torch
import torch.distributed as dist

from .scenarios import Scenario
from .workload import Workload, dtype_of
from .world import World

_ARRIVED, _RELEASED = 0, 1  # channels of the signal pads
_ALIGNMENT = 256
# Opaque elements of copies: PyTorch copies strided tensors by a kernel that moves one element at a
# time, so the widest that fits is the fastest.
_WIDE = torch.complex128
_WORDS = torch.int64


def _aligned(size: int) -> int:
    return (size + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT


def arena_bytes(scenario: Scenario) -> int:
    return sum(_aligned(scenario.tensor_bytes(tensor)) for tensor in scenario.tensors)


class Arena:
    """One symmetric allocation that the targets of every scenario are cut from, with its signal
    pads. At rest every rank has released it: that signal is pending at each peer."""

    def __init__(self, world: World, size: int) -> None:
        # Not earlier: builds without it are common, and the other arms do without.
        from torch.distributed import _symmetric_memory as symmetric

        self.rank, self.size = world.rank, world.size
        # Next rank first, so that receivers are not shared.
        self.peers = [(world.rank + step) % world.size for step in range(1, world.size)]
        self._timeout_ms = int(world.timeout_s * 1000)
        self._local = symmetric.empty(size, dtype=torch.uint8, device=world.device)
        self._handle = symmetric.rendezvous(self._local, dist.group.WORLD)
        self.release()
        torch.cuda.synchronize()

    def tensor(
        self, rank: int, size: tuple[int, ...], dtype: torch.dtype, at_byte: int
    ) -> torch.Tensor:
        """A view of `rank`'s memory."""
        return self._handle.get_buffer(rank, size, dtype, at_byte // dtype.itemsize)

    def release(self) -> None:
        """Tells every peer that it may write here again."""
        for peer in self.peers:
            self._handle.put_signal(peer, _RELEASED, self._timeout_ms)

    def await_release(self) -> None:
        """Waits until every peer may be written, and takes its signal away."""
        for peer in self.peers:
            self._handle.wait_signal(peer, _RELEASED, self._timeout_ms)

    def meet(self) -> None:
        """Waits until every rank came here: what they wrote before is there."""
        self._handle.barrier(_ARRIVED, self._timeout_ms)


def _opaque(source: torch.Tensor, target: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Both as their widest possible elements."""

    def fits(tensor: torch.Tensor) -> bool:
        width = _WIDE.itemsize // tensor.element_size()
        steps = (*tensor.stride()[:-1], tensor.shape[-1], tensor.storage_offset())
        return all(step % width == 0 for step in steps) and tensor.data_ptr() % _WIDE.itemsize == 0

    wide = _WIDE if fits(source) and fits(target) else _WORDS
    return source.view(wide), target.view(wide)


class SymmetricMemory:
    """Each rank copies its strided head slices into the peers' targets, on a side stream of high
    priority, and its own chunk beside it on the caller's; a barrier tells arrival. Peers write
    only what was released: that handshake makes the next exchange correct."""

    def __init__(self, load: Workload, arena: Arena) -> None:
        self._arena = arena
        self._side = torch.cuda.Stream(priority=-1)
        self.targets: list[torch.Tensor] = []
        self._to_peers: list[tuple[torch.Tensor, torch.Tensor]] = []
        self._own: list[tuple[torch.Tensor, torch.Tensor]] = []
        at_byte, rank = 0, arena.rank
        tokens, dtype = load.scenario.tokens_a_rank, dtype_of(load.scenario)
        for index, source in enumerate(load.sources):
            size = load.target_size(index)
            by_head = source.unflatten(2, (arena.size, -1))
            for to in (*arena.peers, rank):
                target = arena.tensor(to, size, dtype, at_byte)
                pair = _opaque(by_head[:, :, to], target[:, rank * tokens : (rank + 1) * tokens])
                (self._own if to == rank else self._to_peers).append(pair)
            self.targets.append(arena.tensor(rank, size, dtype, at_byte))
            at_byte += _aligned(load.scenario.tensor_bytes(load.scenario.tensors[index]))
        self.memory_bytes = at_byte

    def exchange(self) -> None:
        caller = torch.cuda.current_stream()
        self._side.wait_stream(caller)
        with torch.cuda.stream(self._side):
            self._arena.await_release()
            for source, target in self._to_peers:
                target.copy_(source)
            self._arena.meet()
        for source, target in self._own:
            target.copy_(source)
        caller.wait_stream(self._side)

    def release(self) -> None:
        self._arena.release()
