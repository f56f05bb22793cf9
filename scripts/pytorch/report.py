"""Reports in the form of reports/schema/report.schema.json. What the form demands stands here and
nowhere else."""

import datetime
import json
import os
import pathlib
import resource
import subprocess
from typing import Any

from . import metrics
from .errors import BadUse
from .options import NOISE_FLOOR, REFERENCE, ROOT

Report = dict[str, Any]
Cell = dict[str, Any]

SCHEMA = ROOT / "reports/schema/report.schema.json"
COMMAND, SCHEDULE, MODE = "scatter", "exchange", "isolated"
SCENARIO_FIELDS = ("command", "device", "shape", "dtype", "degree", "schedule", "mode")
# What changes an exchange; other variables hold addresses and paths of the machine.
_RELEVANT = ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_", "CUDA_LAUNCH_", "CUDA_MODULE_", "NCCL_",
             "TORCH_SYMM", "TORCH_NCCL_", "PYTORCH_")  # fmt: skip
_IRRELEVANT = ("NCCL_VERSION",)  # images set it to what they were built with


def schema_version() -> int:
    """The version that the schema beside this program demands."""
    return json.loads(SCHEMA.read_text(encoding="utf-8"))["properties"]["schema_version"]["const"]


def utc_now() -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc)


def _git_revision() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def _cpu_model() -> str:
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "unknown"
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, "unknown")


def _driver() -> str:
    try:
        return pathlib.Path("/sys/module/nvidia/version").read_text(encoding="utf-8").strip()
    except OSError:
        return "unknown"


def _cores_of_nodes() -> dict[int, set[int]]:
    """The cores of each NUMA node; none where the system doesn't say."""
    nodes = {}
    for file in pathlib.Path("/sys/devices/system/node").glob("node[0-9]*/cpulist"):
        cores: set[int] = set()
        for part in filter(None, file.read_text(encoding="utf-8").strip().split(",")):
            first, _, last = part.partition("-")
            cores |= set(range(int(first), int(last or first) + 1))
        nodes[int(file.parent.name.removeprefix("node"))] = cores
    return nodes


def place_of(rank: int) -> dict[str, Any]:
    """The cores that this rank's process may use, and their NUMA nodes."""
    usable = os.sched_getaffinity(0)
    nodes = sorted(node for node, cores in _cores_of_nodes().items() if cores & usable)
    return {"rank": rank, "cpu_cores": len(usable), "numa_nodes": nodes}


def _limits() -> dict[str, Any]:
    """Those that a process is told of; the container's are left to ithaca-bench."""

    def of(kind: int) -> int | None:
        soft = resource.getrlimit(kind)[0]
        return None if soft == resource.RLIM_INFINITY else soft

    return {
        "memory_bytes": None,
        "cpus": None,
        "shared_memory_bytes": None,
        "locked_memory_bytes": of(resource.RLIMIT_MEMLOCK),
        "open_files": of(resource.RLIMIT_NOFILE),
    }


def _paths(gpus: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every ordered pair; what joins them is left to ithaca-bench, which asks NVML."""
    ranks = [each["rank"] for each in gpus]
    return [{"source": a, "target": b, "link": None} for a in ranks for b in ranks if a != b]


def describe_machine(
    device: str,
    places: list[dict[str, Any]],
    gpus: list[dict[str, Any]],
    cuda_runtime: str | None,
    nccl: str | None,
) -> dict[str, Any]:
    """`places` and `gpus` by rank (see `place_of`); no GPUs on the host device."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(_RELEVANT) and name not in _IRRELEVANT
    }
    return {
        "device": device,
        "gpus": gpus,
        "paths": _paths(gpus),
        "cpu_model": _cpu_model(),
        "cpu_cores": len(os.sched_getaffinity(0)),
        "numa_nodes": len(_cores_of_nodes()),
        "ranks": places,
        "limits": _limits(),
        "driver": _driver() if device == "cuda" else None,
        "cuda_runtime": cuda_runtime,
        "nccl": nccl,
        "mpi_library": None,
        "environment": environment,
    }


def begin(
    machine: dict[str, Any], arguments: list[str], seed: int, ranks: int, note: str
) -> Report:
    return {
        "schema_version": schema_version(),
        "machine": machine,
        "run": {
            "command": COMMAND,
            "arguments": arguments,
            "seed": seed,
            "git_revision": _git_revision(),
            "started_at": utc_now().strftime("%Y-%m-%dT%H:%M:%SZ"),
            "complete": False,
            "ranks": ranks,
            "reference_arm": REFERENCE,
            "noise_floor_arm": NOISE_FLOOR,
            "note": note,
        },
        "links": {"ceilings": [], "handshake_us": None},
        "telemetry": {
            "not_readable": "scripts/compare_pytorch.py does not read what GPUs say of themselves",
            "warm_up": None,
            "scenarios": [],
        },
        "cells": [],
    }


def new_cell(device: str, shape: str, dtype: str, degree: int, arm: str) -> Cell:
    """A cell that is incomplete until it is said otherwise."""
    return {
        "command": COMMAND,
        "device": device,
        "shape": shape,
        "dtype": dtype,
        "degree": degree,
        "schedule": SCHEDULE,
        "arm": arm,
        "mode": MODE,
        "status": "incomplete",
        "reason": "the run ended before it was done",
        "way": None,
        "samples_ns": [],
        "metrics": {},
        "counts": {
            "kernels": {},
            "peer_copies": 0,
            "peer_bytes": 0,
            "local_copies": 0,
            "signal_writes": 0,
            "signal_waits": 0,
            "allocations_after_warmup": 0,
            "host_collectives_after_warmup": 0,
        },
        "checked": {"exchanges": 0, "bytes": 0, "mismatched_bytes": 0},
    }


def skip(cell: Cell, reason: str) -> None:
    cell.update(status="skipped", reason=reason)


def settle(cell: Cell, inputs: metrics.CellInputs) -> None:
    """Ends a cell whose rounds are all done: refuted if bytes were wrong, else measured."""
    checked = cell["checked"]
    if checked["mismatched_bytes"]:
        wrong = (
            f"{checked['mismatched_bytes']} bytes were wrong, of {checked['bytes']} that timed "
            "exchanges brought and those of the warm-up"
        )
        cell.update(status="refuted", reason=wrong, samples_ns=[], metrics={})
        return
    measured = metrics.compute(inputs)
    cell.update(status="measured", reason=None, samples_ns=[inputs.samples_ns], metrics=measured)


def scenario_of(cell: Cell) -> tuple[Any, ...]:
    """What two cells share that differ in nothing but the arm."""
    return tuple(cell[field] for field in SCENARIO_FIELDS)


def write_whole(report: Report, file: pathlib.Path) -> None:
    """By way of a temporary file: a reader finds the old report or the new one."""
    partial = file.with_name(file.name + ".partial")
    try:
        with partial.open("w", encoding="utf-8") as to:
            json.dump(report, to, indent=1)
            to.write("\n")
            to.flush()
            os.fsync(to.fileno())
        partial.replace(file)
    except OSError as error:
        raise BadUse(f"{file} can't be written ({error.strerror}): choose another --out") from error


def open_folder(chosen: pathlib.Path | None) -> pathlib.Path:
    """The run's own folder. `out/latest` is left to ithaca-bench, whose run is what --beside
    takes."""
    folder = chosen or pathlib.Path("out") / f"{utc_now():%Y%m%d-%H%M%S}-pytorch"
    try:
        folder.mkdir(parents=True, exist_ok=chosen is not None)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "no permission")
    except OSError as error:
        raise BadUse(
            f"the run's folder {folder} can't be written ({error.strerror}): choose another with "
            "--out"
        ) from error
    return folder


def slowest_ceiling_gbps(report: Report) -> float | None:
    return min((each["ceiling_gbps"] for each in report["links"]["ceilings"]), default=None)
