"""The metrics of reports/metrics.cpp, by the same formulas and under the same names."""

import dataclasses
from typing import Any

from . import statistics

_NS_PER_US = 1e3
_NS_PER_MS = 1e6
_BYTES_PER_MIB = 1024 * 1024

Rounds = list[list[int]]


@dataclasses.dataclass
class CellInputs:
    """What the metrics of one measured cell are computed from; one exchange a sample."""

    samples_ns: Rounds  # by round and iteration
    peer_bytes: int  # that leave one rank for others in an exchange
    source_bytes: int  # of all source tensors of one rank
    degree: int
    seed: int
    submit_ns: list[int] = dataclasses.field(default_factory=list)
    prepare_ns: int | None = None  # host time of setting up the arm
    first_exchange_ns: int | None = None  # host time of its very first exchange, until idle
    memory_bytes: int = 0  # that the arm holds on one rank
    ceiling_gbps: float | None = None
    reference_ns: Rounds | None = None  # the reference arm's samples of the same rounds
    comparisons: int = 1  # among how many of its report the cell's comparison is


def round_medians(samples_ns: Rounds) -> list[float]:
    return [statistics.median(each) for each in samples_ns]


def _metric(value: float, unit: str, ci95: statistics.Interval | None = None) -> dict[str, Any]:
    return {"value": value, "unit": unit} | ({"ci95": list(ci95)} if ci95 else {})


def compute(cell: CellInputs) -> dict[str, dict[str, Any]]:
    """Every metric whose inputs are there, by name."""
    medians = round_medians(cell.samples_ns)
    every = [sample for each in cell.samples_ns for sample in each]
    time_ns, (low_ns, high_ns) = statistics.median_over_rounds(medians, cell.seed)

    def rate(bytes_moved: int, unit: str = "GB/s", scale: float = 1) -> dict[str, Any]:
        """Bytes per nanosecond, which are GB/s (1e9 bytes), times `scale`."""
        interval = (bytes_moved / high_ns * scale, bytes_moved / low_ns * scale)
        return _metric(bytes_moved / time_ns * scale, unit, interval)

    metrics = {
        "time_us": _metric(
            time_ns * (1 / _NS_PER_US),
            "us",
            (low_ns * (1 / _NS_PER_US), high_ns * (1 / _NS_PER_US)),
        ),
        "time_p5_us": _metric(statistics.percentile(every, 5) / _NS_PER_US, "us"),
        "time_p95_us": _metric(statistics.percentile(every, 95) / _NS_PER_US, "us"),
        "goodput_gbps": rate(cell.peer_bytes),
        # NVIDIA/nccl-tests, src/alltoall.cu, AlltoAllGetBw.
        "algbw_gbps": rate(cell.source_bytes),
        "busbw_gbps": rate(cell.source_bytes, scale=(cell.degree - 1) / cell.degree),
        "memory_mib": _metric(cell.memory_bytes / _BYTES_PER_MIB, "MiB"),
    }
    if cell.ceiling_gbps:
        # The factor as C++ forms it: 1e9 / bytes a second.
        metrics["ceiling_share"] = rate(cell.peer_bytes, "ratio", 1e9 / (cell.ceiling_gbps * 1e9))
    if cell.submit_ns:
        metrics["submit_us"] = _metric(statistics.median(cell.submit_ns) / _NS_PER_US, "us")
    if cell.prepare_ns is not None:
        metrics["prepare_ms"] = _metric(cell.prepare_ns / _NS_PER_MS, "ms")
    if cell.first_exchange_ns is not None:
        metrics["first_exchange_us"] = _metric(cell.first_exchange_ns / _NS_PER_US, "us")
    if cell.reference_ns:
        metrics["speedup"] = _metric_of_ratio(round_medians(cell.reference_ns), medians, cell.seed)
    error = _relative_error(cell, medians)
    if error is not None:
        slowdown = statistics.smallest_slowdown(error, cell.comparisons, len(medians) - 1)
        metrics["detectable_slowdown"] = _metric(slowdown, "ratio")
    return metrics


def _relative_error(cell: CellInputs, medians: list[float]) -> float | None:
    """Of the speedup; of the reference itself and without one, of the time."""
    if not cell.reference_ns or cell.reference_ns == cell.samples_ns:
        _, interval = statistics.median_over_rounds(medians, cell.seed)
        return statistics.log_standard_error(interval, medians)
    reference = round_medians(cell.reference_ns)
    _, interval = statistics.ratio_over_rounds(reference, medians, cell.seed)
    ratios = [theirs / ours for theirs, ours in zip(reference, medians, strict=True)]
    return statistics.log_standard_error(interval, ratios)


def _metric_of_ratio(reference: list[float], arm: list[float], seed: int) -> dict[str, Any]:
    ratio, interval = statistics.ratio_over_rounds(reference, arm, seed)
    return _metric(ratio, "ratio", interval)


def unpaired_speedup(reference: dict[str, Any], arm: dict[str, Any]) -> dict[str, Any]:
    """From the metrics of two cells whose rounds did not alternate: no interval."""
    return _metric(reference["time_us"]["value"] / arm["time_us"]["value"], "ratio")
