"""The report of ithaca-bench that --beside names: read, found comparable, and merged with ours."""

import pathlib
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from . import json_file, metrics
from .errors import BadUse
from .options import ARMS, NOISE_FLOOR, REFERENCE
from .report import COMMAND, Cell, Report, new_cell, scenario_of, schema_version

_MOST = 1e300  # of any figure; what is computed from two of them stays finite
_LEAST = 1e-300


class _Value(NamedTuple):
    """What one value must be, and how a message says it."""

    holds: Callable[[Any], bool]
    words: str


class _Each(NamedTuple):
    """An object whose values all have one form, whatever their names."""

    form: Any


def _is_text(value: Any) -> bool:
    # Halves of a UTF-16 pair can be written in JSON, but not printed.
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def _is_number(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and -_MOST < value < _MOST


def _is_metric(value: Any) -> bool:
    if not isinstance(value, dict) or not _is_number(value.get("value")):
        return False
    interval = value.get("ci95", [0, 0])
    return isinstance(interval, list) and len(interval) == 2 and all(map(_is_number, interval))


_TEXT = _Value(_is_text, "text")
_TEXT_OR_NULL = _Value(lambda value: value is None or _is_text(value), "text or null")
_YES_OR_NO = _Value(lambda value: isinstance(value, bool), "true or false")
_WHOLE = _Value(lambda value: type(value) is int, "a whole number")
_POSITIVE = _Value(lambda value: _is_number(value) and value > _LEAST, "a positive number")
_METRIC = _Value(_is_metric, "a value, with or without an interval of two")

# What is read of a report. Objects may hold more; the rest is handed on as it is.
_FORM = {
    "machine": {
        "device": _TEXT,
        "gpus": [{"uuid": _TEXT}],
        "cpu_model": _TEXT,
        "nccl": _TEXT_OR_NULL,
    },
    "run": {
        "command": _TEXT,
        "complete": _YES_OR_NO,
        "git_revision": _TEXT,
        "started_at": _TEXT,
    },
    "links": {"ceilings": [{"ceiling_gbps": _POSITIVE}]},
    "cells": [
        {
            "command": _TEXT,
            "device": _TEXT,
            "shape": _TEXT,
            "dtype": _TEXT,
            "degree": _WHOLE,
            "schedule": _TEXT,
            "arm": _TEXT,
            "mode": _TEXT,
            "status": _TEXT,
            "reason": _TEXT_OR_NULL,
            "metrics": _Each(_METRIC),
        }
    ],
}
_TIME = {"metrics": {"time_us": {"value": _POSITIVE}}}


def _misfit(found: Any, form: Any, place: str = "") -> str:
    """Empty, or the first place where `found` does not have this form."""
    if isinstance(form, _Value):
        return "" if form.holds(found) else f"'{place}' is not {form.words}"
    if isinstance(form, list):
        if not isinstance(found, list):
            return f"'{place}' is not a list"
        parts = ((each, form[0], f"{place}[{at}]") for at, each in enumerate(found))
        return next(filter(None, (_misfit(*part) for part in parts)), "")
    if not isinstance(found, dict):
        return f"{repr(place) if place else 'it'} is not an object"
    inner = f"{place}." if place else ""
    if isinstance(form, _Each):
        form = dict.fromkeys(found, form.form)
    for name, part in form.items():
        if name not in found:
            return f"it lacks '{inner}{name}'"
        failure = _misfit(found[name], part, f"{inner}{name}")
        if failure:
            return failure
    return ""


def _cells_misfit(cells: list[Cell]) -> str:
    for at, cell in enumerate(cells):
        failure = _misfit(cell, _TIME, f"cells[{at}]") if cell["status"] == "measured" else ""
        if failure:
            return failure
    return ""


def load(file: pathlib.Path) -> Report:
    """A complete report of 'ithaca-bench scatter'. Throws `BadUse` for anything else."""
    named = f"--beside {file}"
    found = json_file.read(file, named)
    failure = _misfit(found, {"schema_version": _WHOLE})
    another_version = not failure and found["schema_version"] != schema_version()
    if not failure and not another_version:
        failure = _misfit(found, _FORM) or _cells_misfit(found["cells"])
    if failure:
        raise BadUse(f"{named} is no report: {failure}. Give a report.json as it was written")
    fields = set(new_cell("", "", "", 0, ""))
    if another_version or any(fields - set(cell) for cell in found["cells"]):
        raise BadUse(
            f"{named} is a report of another version of ithaca-bench: measure again with the one "
            "of this checkout"
        )
    command, complete = found["run"]["command"], found["run"]["complete"]
    if command != COMMAND or not complete:
        what = f"of '{command}'" if command != COMMAND else "of a run that did not end"
        raise BadUse(f"{named} is a report {what}: give one of a whole scatter")
    return found


def _same_machine(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """Empty, or what differs."""
    if ours["device"] != theirs["device"]:
        return (
            f"it is of the {theirs['device']} device, and this run of the {ours['device']} device"
        )
    uuids = [[gpu["uuid"] for gpu in each["gpus"]] for each in (ours, theirs)]
    if uuids[0] != uuids[1]:
        return f"its ranks had the GPUs {', '.join(uuids[1])}, and these have {', '.join(uuids[0])}"
    if ours["cpu_model"] != theirs["cpu_model"]:
        return f"its CPU is a {theirs['cpu_model']}, and this one a {ours['cpu_model']}"
    return ""


def comparable_cells(
    beside: Report, machine: dict[str, Any], wanted: Iterable[tuple[Any, ...]]
) -> list[Cell]:
    """The cells of the report beside in the scenarios `wanted`. Throws `BadUse` if it is of
    another machine, or has none."""
    difference = _same_machine(machine, beside["machine"])
    if difference:
        raise BadUse(
            f"the report beside is not comparable: {difference}. Measure both on one machine"
        )
    scenarios = set(wanted)
    ours = {*ARMS, NOISE_FLOOR}  # a merged report has them too
    cells = [
        each
        for each in beside["cells"]
        if scenario_of(each) in scenarios and each["arm"] not in ours
    ]
    if not cells:
        raise BadUse(
            "the report beside holds none of these scenarios in isolated mode: give the same "
            "shapes, --dtypes and number of ranks to both programs"
        )
    return cells


def merge(ours: Report, beside: Report, cells: list[Cell]) -> Report:
    """Our report with the cells of the one beside, their speed being that against our reference:
    without an interval, since the rounds of two programs are no pairs."""
    references = {
        scenario_of(each): each["metrics"]
        for each in ours["cells"]
        if each["arm"] == REFERENCE and each["status"] == "measured"
    }
    merged_cells = list(ours["cells"])
    for cell in cells:
        theirs = {name: each for name, each in cell["metrics"].items() if name != "speedup"}
        reference = references.get(scenario_of(cell))
        if theirs and reference:
            theirs["speedup"] = metrics.unpaired_speedup(reference, theirs)
        merged_cells.append(cell | {"metrics": theirs})
    run = ours["run"]
    note = f"{run['note']} {merge_note(beside)}"
    return ours | {"run": run | {"note": note}, "cells": merged_cells}


def merge_note(beside: Report) -> str:
    run, machine = beside["run"], beside["machine"]
    nccl = f", NCCL {machine['nccl']}" if machine.get("nccl") else ""
    return (
        f"The other arms are of ithaca-bench ({run['git_revision']}, started {run['started_at']}"
        f"{nccl}): the two programs ran in separate processes, one after the other, not in "
        "alternating rounds, so a drift between the two runs shows as a difference between arms."
    )
