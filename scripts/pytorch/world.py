"""The ranks, and what they agree on, by torch.distributed."""

import datetime
from typing import Any

import torch
import torch.distributed as dist

from .errors import BadUse
from .options import Launch


class World:
    """All ranks of the run. Every method but the constructor's reading is collective; tensors of
    the host go by gloo, those of GPUs by NCCL."""

    def __init__(self, launch: Launch, device: str, timeout_s: float) -> None:
        self.rank, self.size = launch.rank, launch.size
        self.kind = _device_kind(device, launch.size)
        self.timeout_s = timeout_s
        cuda = self.kind == "cuda"
        if cuda:
            torch.cuda.set_device(launch.local_rank)
            # Not the default stream, which other streams may be made to wait for.
            torch.cuda.set_stream(torch.cuda.Stream())
        self.device = torch.device("cuda", launch.local_rank) if cuda else torch.device("cpu")
        dist.init_process_group(
            "cpu:gloo,cuda:nccl" if cuda else "gloo",
            rank=launch.rank,
            world_size=launch.size,
            timeout=datetime.timedelta(seconds=timeout_s),
        )
        if cuda:  # PyTorch opens NCCL's communicator when it is first used: no arm is to pay for it
            dist.all_reduce(torch.zeros(1, device=self.device))

    def _reduced(self, values: list[int], how: Any) -> list[int]:
        all_values = torch.tensor(values, dtype=torch.int64)
        dist.all_reduce(all_values, how)
        return [int(each) for each in all_values]

    def maximum(self, *values: int) -> list[int]:
        return self._reduced(list(values), dist.ReduceOp.MAX)

    def sum(self, value: int) -> int:
        return self._reduced([value], dist.ReduceOp.SUM)[0]

    def barrier(self) -> None:
        self.sum(0)

    def gather(self, mine: Any) -> list[Any]:
        """By rank."""
        every: list[Any] = [None] * self.size
        dist.all_gather_object(every, mine)
        return every

    def first_failure(self, failure: str) -> str:
        """The first failure by rank, so that what one finds stops all; empty if there is none."""
        return next(filter(None, self.gather(failure)), "")

    def close(self) -> None:
        dist.destroy_process_group()


def _device_kind(asked: str, ranks: int) -> str:
    """What `auto` means here. Throws `BadUse` if GPUs were asked for and are not there."""
    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if asked == "cuda" and gpus < ranks:
        found = "no GPU is" if gpus == 0 else f"only {gpus} GPUs are"
        raise BadUse(f"{found} usable here for {ranks} ranks: start fewer, or give --device host")
    return "cuda" if asked != "host" and gpus >= ranks else "host"


def gpu_of(world: World) -> dict[str, Any]:
    """This rank's GPU as reports name it."""
    properties = torch.cuda.get_device_properties(world.device)
    return {
        "rank": world.rank,
        "ordinal": world.device.index,
        "uuid": f"GPU-{properties.uuid}",
        "name": properties.name,
        "numa_node": None,
    }
