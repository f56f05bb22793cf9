"""How a sample begins and ends: the gate of bench/start_gate.cpp, and a clock around it."""

import ctypes
import mmap
import os
import tempfile
import time
from collections.abc import Callable

import torch

from .errors import ExchangeBroken
from .world import World

_PAGE_BYTES = 4096
_PORTABLE_AND_MAPPED = 1 | 2  # cudaHostRegisterPortable, cudaHostRegisterMapped
_AT_LEAST = 0  # CU_STREAM_WAIT_VALUE_GEQ
_FOR_GOOD = 1 << 62

# What an exchange enqueues, and how long it took: elapsed and submit time in ns, of this rank.
Exchange = Callable[[], None]
Sample = tuple[int, int]


class StartGate:
    """One word of host memory that every rank maps and its GPU watches by a stream-memory
    operation: a single store starts the streams of all ranks, and no SM takes part."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._ticket = 0
        self._page = _shared_page(world)
        self._word = ctypes.c_uint64.from_buffer(self._page)
        address = ctypes.addressof(self._word)
        failed = int(
            torch.cuda.cudart().cudaHostRegister(address, _PAGE_BYTES, _PORTABLE_AND_MAPPED)
        )
        if failed:
            raise ExchangeBroken(f"the start gate's page can't be registered: CUDA error {failed}")
        self._driver = ctypes.CDLL("libcuda.so.1")
        on_device = ctypes.c_uint64()
        self._check(
            self._driver.cuMemHostGetDevicePointer_v2(
                ctypes.byref(on_device), ctypes.c_void_p(address), ctypes.c_uint(0)
            ),
            "cuMemHostGetDevicePointer",
        )
        self._on_device = on_device

    def hold(self, stream: torch.cuda.Stream) -> None:
        """Holds `stream` here until the next `open`."""
        self._check(
            self._driver.cuStreamWaitValue64_v2(
                ctypes.c_void_p(stream.cuda_stream),
                self._on_device,
                ctypes.c_uint64(self._ticket + 1),
                ctypes.c_uint(_AT_LEAST),
            ),
            "cuStreamWaitValue64",
        )

    def open(self) -> None:
        """Collective: opens when every rank has come here."""
        self._ticket += 1
        self._world.barrier()
        if self._world.rank == 0:
            self._word.value = self._ticket

    def abandon(self) -> None:
        """Lets everything through, so that a rank that failed leaves no stream behind."""
        self._word.value = _FOR_GOOD

    @staticmethod
    def _check(status: int, what: str) -> None:
        if status:
            raise ExchangeBroken(f"{what} failed with CUDA driver error {status}")


def _shared_page(world: World) -> mmap.mmap:
    path = None
    if world.rank == 0:
        descriptor, path = tempfile.mkstemp(prefix="ithaca-gate-", dir="/dev/shm")
        os.ftruncate(descriptor, _PAGE_BYTES)
        os.close(descriptor)
    path = world.gather(path)[0]
    with open(path, "r+b") as file:
        page = mmap.mmap(file.fileno(), _PAGE_BYTES)
    world.barrier()
    if world.rank == 0:
        os.unlink(path)
    return page


def wait_for(event: torch.cuda.Event, timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    while not event.query():
        if time.monotonic() > deadline:
            raise ExchangeBroken(f"an exchange did not end within {timeout_s:g} s")


class CudaClock:
    """Times an exchange by events on the rank's stream, behind the closed gate."""

    HOW = (
        "Every rank's stream waits for one word of host memory, opened behind a barrier when all "
        "is enqueued, as in ithaca-bench; a sample runs from there to the last arrival."
    )

    def __init__(self, world: World) -> None:
        self._timeout_s = world.timeout_s
        self._gate = StartGate(world)
        self._begin = torch.cuda.Event(enable_timing=True)
        self._end = torch.cuda.Event(enable_timing=True)

    def sample(self, exchange: Exchange) -> Sample:
        """Collective."""
        self._gate.hold(torch.cuda.current_stream())
        self._begin.record()
        before = time.perf_counter_ns()
        exchange()
        submit_ns = time.perf_counter_ns() - before
        self._end.record()
        self._gate.open()
        wait_for(self._end, self._timeout_s)
        return max(1, round(self._begin.elapsed_time(self._end) * 1e6)), submit_ns

    def finish(self) -> None:
        """Waits until this rank's stream is idle."""
        self._end.record()
        wait_for(self._end, self._timeout_s)

    def abandon(self) -> None:
        self._gate.abandon()


class HostClock:
    """Times an exchange of the host device: calls return when they are done."""

    HOW = (
        "Measured on the host device: the times say nothing about GPUs. Ranks start behind a host "
        "barrier, without a common gate."
    )

    def __init__(self, world: World) -> None:
        self._world = world

    def sample(self, exchange: Exchange) -> Sample:
        """Collective."""
        self._world.barrier()
        before = time.perf_counter_ns()
        exchange()
        elapsed_ns = max(1, time.perf_counter_ns() - before)
        return elapsed_ns, elapsed_ns

    def finish(self) -> None:
        pass

    def abandon(self) -> None:
        pass


Clock = CudaClock | HostClock
