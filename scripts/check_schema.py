#!/usr/bin/env python3
"""Checks reports and baselines against reports/schema/report.schema.json and baseline.schema.json.

Usage: check_schema.py FILE...   (report.json, or report.json.gz; a baseline by its baseline_version)

Exit codes: 0 all match, 1 one does not, 2 bad use (no report given, one can't be read, or the
module jsonschema, Debian's python3-jsonschema, is absent).
"""

import gzip
import json
import pathlib
import sys

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "reports/schema"


class BadUse(Exception):
    """What stands in the way of an answer, in words."""


def load(path):
    try:
        content = pathlib.Path(path).read_bytes()
        return json.loads(gzip.decompress(content) if str(path).endswith(".gz") else content)
    except (OSError, ValueError) as error:
        raise BadUse(f"{path} can't be read: {error}") from error


def validator(kind_of_file):
    try:
        import jsonschema
    except ImportError as error:
        raise BadUse("the module jsonschema is absent: install python3-jsonschema") from error
    # Before jsonschema 4 there was no validator of 2020-12; the schema uses nothing that draft 7
    # understands differently.
    kind = getattr(jsonschema, "Draft202012Validator", jsonschema.Draft7Validator)
    schema = load(SCHEMAS / f"{kind_of_file}.schema.json")
    kind.check_schema(schema)
    return kind(schema)


def mismatches(checker, report):
    for error in sorted(checker.iter_errors(report), key=lambda each: list(map(str, each.path))):
        place = "/".join(map(str, error.absolute_path)) or "the report"
        yield f"{place}: {error.message[:300]}"


def main(paths):
    if not paths:
        raise BadUse("give a report: check_schema.py REPORT...")
    checkers = {kind: validator(kind) for kind in ("report", "baseline")}
    failed = False
    for path, report in [(path, load(path)) for path in paths]:
        is_baseline = isinstance(report, dict) and "baseline_version" in report
        found = list(mismatches(checkers["baseline" if is_baseline else "report"], report))
        failed = failed or bool(found)
        print(f"{path}: {'does not match' if found else 'matches'} the schema")
        for each in found:
            print(f"  {each}")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BadUse as refusal:
        print(f"check_schema.py: {refusal}", file=sys.stderr)
        sys.exit(2)
