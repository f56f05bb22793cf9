"""A report for a terminal, in the manner of reports/summary_table.cpp."""

import textwrap
from typing import Any

from .options import NOISE_FLOOR, REFERENCE
from .report import Cell, Report, scenario_of, slowest_ceiling_gbps

_WIDTH = 120
_HEADER = ["arm", "time us", "p5..p95", "goodput", "ceil %", f"vs {REFERENCE} [95 %]", "submit us"]


def _compact(value: float) -> str:
    """Four significant digits or so."""
    if value >= 1e7:
        return f"{value:.3g}"
    return f"{value:.{0 if value >= 1000 else 1 if value >= 100 else 2}f}"


def _figure(cell: Cell, name: str, scale: float = 1) -> str:
    found = cell["metrics"].get(name)
    return _compact(found["value"] * scale) if found else "-"


def _speedup(cell: Cell) -> str:
    if cell["arm"] == REFERENCE:
        return "reference"
    found = cell["metrics"].get("speedup")
    if not found:
        return "-"
    low, high = found.get("ci95", (None, None))
    interval = "not paired" if low is None else f"{low:.2f}, {high:.2f}"
    return f"{found['value']:.2f} [{interval}]"


def _row(cell: Cell) -> list[str]:
    return [
        cell["arm"] + (" (A/A)" if cell["arm"] == NOISE_FLOOR else ""),
        _figure(cell, "time_us"),
        f"{_figure(cell, 'time_p5_us')}..{_figure(cell, 'time_p95_us')}",
        _figure(cell, "goodput_gbps"),
        _figure(cell, "ceiling_share", 100),
        _speedup(cell),
        _figure(cell, "submit_us"),
    ]


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  " + row[0].ljust(widths[0]) + "".join(
            "  " + text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True))
        for row in rows
    ]  # fmt: skip


def _scenario_lines(cells: list[Cell]) -> list[str]:
    first = cells[0]
    title = f"{first['command']}  {first['shape']}  {first['dtype']}  U{first['degree']}"
    measured = [each for each in cells if each["status"] == "measured"]
    measured.sort(key=lambda each: each["metrics"]["time_us"]["value"])
    lines = [f"{title}  {first['mode']}"]
    if measured:
        lines += _aligned([_HEADER, *map(_row, measured)])
    for cell in cells:
        if cell["status"] != "measured":
            line = f"{cell['arm']}: {cell['status']}: {cell['reason']}"
            lines += textwrap.wrap(line, _WIDTH, initial_indent="  ", subsequent_indent="      ")
    return lines


def summary(report: Report) -> str:
    """First what a reader must know before believing a time; then a table for each scenario, the
    fastest arm first."""
    lines = textwrap.wrap(report["run"]["note"], _WIDTH)
    if not report["run"]["complete"]:
        lines.append("The run is not complete.")
    ceiling = slowest_ceiling_gbps(report)
    if ceiling:
        lines.append(f"Ceiling {ceiling:.1f} GB/s (slowest ordered pair, of the report beside).")
    scenarios: dict[tuple[Any, ...], list[Cell]] = {}
    for cell in report["cells"]:
        scenarios.setdefault(scenario_of(cell), []).append(cell)
    for cells in scenarios.values():
        lines += ["", *_scenario_lines(cells)]
    return "\n".join(lines)
