"""Files of JSON that a person names."""

import json
import pathlib
from typing import Any

from .errors import BadUse

# Far more than any file of ours has; what takes values apart recursively is safe below it.
_DEEPEST = 64


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level:
        depth += 1
        inner: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                inner += each.values()
            elif isinstance(each, list):
                inner += each
        level = inner
    return depth


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def read(file: pathlib.Path, named: str) -> Any:
    """What `file` holds, `named` so in messages. Throws `BadUse` if that is no JSON."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"), parse_constant=_no_number)
        deep = _depth(found) > _DEEPEST
    except OSError as error:
        raise BadUse(f"{named} can't be read: {error.strerror}") from error
    except ValueError as error:
        raise BadUse(f"{named} is no JSON: {error}") from error
    except RecursionError:
        deep = True
    if deep:
        raise BadUse(f"{named} is nested too deeply: give a file that was not damaged")
    return found
