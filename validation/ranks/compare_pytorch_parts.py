"""scripts/compare_pytorch.py without PyTorch: its pure parts, and bad input."""

import copy
import functools
import gzip
import importlib.util
import json
import pathlib
import re
import subprocess
import sys

import launch

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = SOURCE / "scripts" / "compare_pytorch.py"
sys.path.insert(0, str(PROGRAM.parent))

from pytorch import (  # noqa: E402
    beside,
    json_file,
    metrics,
    options,
    pattern,
    report,
    scenarios,
    statistics,
    table,
)
from pytorch.errors import BadUse  # noqa: E402

ARMS = {*options.ARMS, options.NOISE_FLOOR}


def load(file):
    content = pathlib.Path(file).read_bytes()
    return json.loads(gzip.decompress(content) if str(file).endswith(".gz") else content)


def recorded(command):
    """The newest recorded report of a kind, e.g. "scatter" or "crossover"."""
    return load(sorted((SOURCE / "reports/recorded").glob(f"*/{command}/report.json*"))[-1])


def refused(says, call, *arguments):
    try:
        call(*arguments)
    except BadUse as refusal:
        assert re.search(says, str(refusal)), f"'{refusal}' does not match '{says}'"
        return
    raise AssertionError(f"not refused; should have said '{says}'")


# ---- parts --------------------------------------------------------------------------------------


def recorded_scenario(cell, catalog):
    return scenarios.Scenario(catalog[cell["shape"]], cell["dtype"], cell["degree"])


def metrics_as_ithaca_bench(_):
    """From its samples and its seed, every figure and interval that ithaca-bench recorded."""
    whole = recorded("scatter")
    catalog = scenarios.load_catalog(options.MODELS)
    cells = [each for each in whole["cells"]
             if each["mode"] == "isolated" and each["status"] == "measured"]  # fmt: skip
    reference = {each["shape"]: each["samples_ns"][0] for each in cells
                 if each["arm"] == whole["run"]["reference_arm"]}  # fmt: skip
    assert len(cells) >= 6
    for cell in cells:
        of = recorded_scenario(cell, catalog)
        again = metrics.compute(
            metrics.CellInputs(
                samples_ns=cell["samples_ns"][0],
                peer_bytes=of.peer_bytes,
                source_bytes=of.source_bytes,
                degree=of.degree,
                seed=whole["run"]["seed"],
                ceiling_gbps=report.slowest_ceiling_gbps(whole),
                reference_ns=reference[cell["shape"]],
            )
        )
        # Memory is no sample's, and that run did not say yet which slowdown it could have shown.
        for name in set(again) - {"memory_mib", "detectable_slowdown"}:
            found, expected = again[name], cell["metrics"][name]
            assert found["unit"] == expected["unit"], name
            # The last digit is left to how a compiler contracts products.
            figures = [found["value"], *found.get("ci95", [])]
            for ours, theirs in zip(
                figures, [expected["value"], *expected.get("ci95", [])], strict=True
            ):
                assert abs(ours - theirs) <= 1e-14 * abs(theirs), (
                    f"{cell['arm']} {name}: {ours}, {theirs}"
                )
        assert {"speedup", "ceiling_share", "busbw_gbps"} <= set(again)


def slowdown_as_ithaca_bench(_):
    # The same rounds and figure as in validation/unit/reports_sensitivity_test.cpp.
    error = statistics.log_standard_error((0.98, 1.03), [1.0, 1.02, 0.99, 1.01, 1.0, 0.97])
    assert abs(error - 0.012694495906959579) < 1e-14, error
    assert abs(statistics.smallest_slowdown(error, 60, 5) - 0.24241125899766303) < 1e-12
    assert statistics.log_standard_error((1.0, 1.0), [1.0]) is None


def order_as_ithaca_bench(_):
    # The same figures as in validation/unit/round_order_test.cpp and reports_statistics_test.cpp.
    assert statistics.balanced_rounds(5, 1, 7) == [[1, 3, 4, 2, 0]]
    rounds = [10, 12, 11, 14, 9, 10, 13, 11, 10, 12]
    assert statistics.median_over_rounds(rounds, 7) == (11, (10, 12.5))
    for cells in (1, 2, 3, 5):
        block = statistics.balanced_rounds(cells, 2 * cells, 42)[cells:]
        places = {(cell, place) for order in block for place, cell in enumerate(order)}
        assert len(places) == cells * cells, "a cell is not in every place of a block"


def pattern_differs(_):
    # splitmix64's first output from seed 0.
    assert pattern.pattern_word(0, 1) == 0xE220A8397B1DCDAF
    seeds = {pattern.pattern_seed(*key) for key in
             [(0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 2), (1, 1, 1)]}  # fmt: skip
    assert len(seeds) == 5
    assert pattern.signed(1 << 63) == -(1 << 63) and pattern.signed(5) == 5


def sizes_as_ithaca_bench(_):
    whole = recorded("crossover")
    assert "--bytes" not in whole["run"]["arguments"], "not the sizes that crossover takes by itself"
    ours = scenarios.sized_scenarios(
        scenarios.parse_sweep("64K:256M:2", 4096), ["bf16"], whole["cells"][0]["degree"]
    )
    theirs = dict.fromkeys(each["shape"] for each in whole["cells"] if each["dtype"] == "bf16")
    assert [each.shape.name for each in ours] == list(theirs)


def shares_that_are_not_even(_):
    def why(*sizes, dtype="bf16", degree=4):
        return scenarios.Scenario(scenarios.Shape("x", *sizes), dtype, degree).obstacle()

    assert why(1, 4096, 32, 8, 128) == ""
    assert "4097 tokens" in why(1, 4097, 32, 8, 128)
    assert "30 heads" in why(1, 4096, 30, 30, 128)
    assert "2 KV heads" in why(1, 4096, 32, 2, 128)
    assert "4 bytes" in why(1, 4096, 32, 8, 4, dtype="fp8")
    gqa = scenarios.Scenario(scenarios.Shape("x", 2, 8, 4, 2, 16), "bf16", 2)
    assert gqa.source_bytes == 2 * 4 * (4 + 2 + 2) * 16 * 2
    assert gqa.peer_bytes == gqa.source_bytes // 2


def launches(_):
    def started(**values):
        names = {"RANK": "0", "WORLD_SIZE": "2", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "2"}
        return options.read_launch((names | values).get)

    assert started(RANK="1", LOCAL_RANK="1") == options.Launch(1, 2, 1)
    refused("torchrun --standalone", options.read_launch, {}.get)
    refused("at least two ranks", functools.partial(started, WORLD_SIZE="1"))
    refused("several hosts", functools.partial(started, WORLD_SIZE="4"))


def ours_beside(whole, factor):
    """A report of this program in the scenarios of `whole`, `factor` times as slow as its reference."""
    ours = report.begin(whole["machine"], [], 1, 2, "A note.")
    for cell in whole["cells"]:
        if cell["mode"] == "isolated" and cell["arm"] == whole["run"]["reference_arm"]:
            made = copy.deepcopy(cell) | {"arm": options.REFERENCE}
            made["metrics"]["time_us"]["value"] *= factor
            ours["cells"].append(made)
    ours["run"]["complete"] = True
    return ours


def merged_table(folder):
    whole = recorded("scatter")
    ours = ours_beside(whole, factor=2)
    wanted = [report.scenario_of(each) for each in ours["cells"]]
    merged = beside.merge(ours, whole, beside.comparable_cells(whole, ours["machine"], wanted))
    by_key = {(each["shape"], each["arm"]): each for each in merged["cells"]}
    for shape, *_ in {(each["shape"],) for each in ours["cells"]}:
        theirs = by_key[shape, whole["run"]["reference_arm"]]
        assert abs(theirs["metrics"]["speedup"]["value"] - 2) < 1e-12
        assert "ci95" not in theirs["metrics"]["speedup"], "rounds that are no pairs"
    text = table.summary(merged)
    assert "separate processes, one after the other, not in alternating rounds" in text.replace(
        "\n", " "
    )
    assert re.search(r"copy-engine .* \[not paired\]", text)
    assert re.search(rf"{options.REFERENCE} .* reference", text)
    assert all(len(line) <= 120 for line in text.splitlines())
    # What has been merged once can be given again: only ithaca-bench's cells are taken.
    again = beside.comparable_cells(merged, ours["machine"], wanted)
    assert not ARMS & {each["arm"] for each in again}
    check_schema(folder, merged)


def check_schema(folder, whole):
    if importlib.util.find_spec("jsonschema") is None:
        return
    report.write_whole(whole, folder / "checked.json")
    checker = [sys.executable, SOURCE / "scripts/check_schema.py", folder / "checked.json"]
    assert subprocess.run(checker, check=False).returncode == 0


def reports_that_are_not_comparable(folder):
    whole = recorded("scatter")
    file = folder / "beside.json"

    def changed(change):
        other = copy.deepcopy(whole)
        change(other)
        file.write_text(json.dumps(other), encoding="utf-8")
        return beside.load(file)

    assert changed(lambda _: None) == whole
    refused("absent.json can't be read", beside.load, folder / "absent.json")
    refused("another version", changed, lambda each: each.update(schema_version=99))
    refused("another version", changed, lambda each: each["cells"][0].pop("checked"))
    refused("of 'gather'", changed, lambda each: each["run"].update(command="gather"))
    refused("did not end", changed, lambda each: each["run"].update(complete=False))
    refused("lacks 'links'", changed, lambda each: each.pop("links"))

    wanted = [report.scenario_of(each) for each in whole["cells"]]
    machine = copy.deepcopy(whole["machine"])
    machine["gpus"][1]["uuid"] = "GPU-another"
    refused("the GPUs GPU-.*GPU-another", beside.comparable_cells, whole, machine, wanted)
    host = machine | {"device": "host", "gpus": []}
    refused("cuda device.*host device", beside.comparable_cells, whole, host, wanted)
    refused("none of these scenarios", beside.comparable_cells, whole, whole["machine"], wanted[:0])


# What a report beside may have been damaged to, by the value that takes the place of another.
DAMAGES = {
    "it is not an object": ((), []),
    "it lacks 'schema_version'": ((), {}),
    "'schema_version' is not a whole number": (("schema_version",), "2"),
    "'machine' is not an object": (("machine",), []),
    "'machine.gpus' is not a list": (("machine", "gpus"), None),
    r"it lacks 'machine.gpus\[1\].uuid'": (("machine", "gpus", 1), {}),
    "'machine.device' is not text": (("machine", "device"), []),
    "'machine.cpu_model' is not text": (("machine", "cpu_model"), "\ud800"),
    "'machine.nccl' is not text or null": (("machine", "nccl"), 2),
    "'run' is not an object": (("run",), 3),
    "'run.complete' is not true or false": (("run", "complete"), "yes"),
    "'run.started_at' is not text": (("run", "started_at"), None),
    "'links' is not an object": (("links",), None),
    r"'links.ceilings\[0\]' is not an object": (("links", "ceilings", 0), 7),
    r"it lacks 'links.ceilings\[0\].ceiling_gbps'": (("links", "ceilings", 0), {}),
    r"ceilings\[0\].ceiling_gbps' is not a positive number": (
        ("links", "ceilings", 0, "ceiling_gbps"), 0),
    r"ceilings\[1\].ceiling_gbps' is not a positive number": (
        ("links", "ceilings", 1, "ceiling_gbps"), 10**400),
    "'cells' is not a list": (("cells",), None),
    r"'cells\[0\]' is not an object": (("cells", 0), None),
    r"'cells\[0\].shape' is not text": (("cells", 0, "shape"), []),
    r"'cells\[0\].degree' is not a whole number": (("cells", 0, "degree"), True),
    r"'cells\[0\].reason' is not text or null": (("cells", 0, "reason"), 1),
    r"'cells\[0\].metrics' is not an object": (("cells", 0, "metrics"), 1),
    r"'cells\[0\].metrics.time_us' is not a value": (("cells", 0, "metrics"), {"time_us": 5}),
    r"'cells\[0\].metrics.speedup' is not a value": (
        ("cells", 0, "metrics", "speedup"), {"value": 1, "ci95": 2}),
    r"it lacks 'cells\[0\].metrics.time_us'": (("cells", 0, "metrics"), {}),
    r"'cells\[0\].metrics.time_us.value' is not a positive number": (
        ("cells", 0, "metrics", "time_us", "value"), 0),
}  # fmt: skip
DAMAGED_TEXTS = {
    "{": "is no JSON",
    "": "is no JSON",
    '{"schema_version": NaN}': "is no JSON: NaN",
    "[" * 100_000: "is nested too deeply",
    "[" * 500 + "]" * 500: "is nested too deeply",
}


def damaged(whole, path, value):
    """`whole`, changed in place, with `value` at `path`."""
    if not path:
        return value
    *outer, last = path
    functools.reduce(lambda found, key: found[key], outer, whole)[last] = value
    return whole


def reports_that_are_damaged(folder):
    whole = recorded("scatter")
    assert whole["cells"][0]["status"] == "measured"
    file = folder / "beside.json"
    for says, (path, value) in DAMAGES.items():
        changed = damaged(copy.deepcopy(whole), path, value)
        file.write_text(json.dumps(changed), encoding="utf-8")
        refused(f"is no report: .*{says}", beside.load, file)
    for text, says in DAMAGED_TEXTS.items():
        file.write_text(text, encoding="utf-8")
        refused(says, beside.load, file)
    file.write_bytes(b"\xff")
    refused("is no JSON", beside.load, file)
    refused("can't be read", beside.load, folder)


def files_of_shapes_that_are_damaged(folder):
    file = folder / "shapes.json"
    no_list = dict.fromkeys(("[]", "5", "{}", '{"shapes": 3}', '{"shapes": []}'), "no list of")
    huge = '{"shapes": [{"name": "x", "tokens": 1%s, "heads": 2, "head_dim": 8}]}' % ("0" * 30)
    for text, says in (DAMAGED_TEXTS | no_list | {huge: "overflow 63 bits"}).items():
        file.write_text(text, encoding="utf-8")
        refused(says, scenarios.load_catalog, file)
    file.write_text("[" * 60 + "]" * 60, encoding="utf-8")
    assert json_file.read(file, "it")


def chosen_by_name(folder):
    """As choose_shapes of ithaca-bench: those out of a set are not."""
    file = folder / "shapes.json"
    rows = [{"name": name, "tokens": 64, "heads": 2, "head_dim": 8} for name in ("one", "two")]
    file.write_text(json.dumps({"shapes": rows}), encoding="utf-8")

    def names(*arguments):
        chosen = options.parse(["--scenarios", str(file), *arguments])
        return {each.shape.name: each.by_name for each in options.scenarios_of(chosen, 2)}

    assert names() == {"one": False, "two": False}
    assert names("--shapes", "all,two") == {"one": False, "two": True}
    assert names("--shapes", "all", "--shape", "1,8,2,8") == {
        "one": False, "two": False, "1x8x2x8": True}  # fmt: skip
    assert names("--shapes", "one") == {"one": True}
    assert set(names("--bytes", "64K:256K:2").values()) == {True}
    shipped = options.scenarios_of(options.parse([]), 2)
    assert not any(each.by_name for each in shipped)
    checked = options.scenarios_of(options.parse(["--self-check"]), 2)
    assert all(each.by_name for each in checked)


# ---- bad input ----------------------------------------------------------------------------------

BAD_INPUT = {
    "unknown_flag": ("unrecognized arguments: --wrong", ["--wrong"]),
    "unknown_arm": ("--arms 'pytorch-alltoal'.*did you mean 'pytorch-alltoall'", ["--arms", "pytorch-alltoal"]),
    "unknown_dtype": ("--dtypes 'bf61'.*did you mean 'bf16'", ["--dtypes", "bf61"]),
    "unknown_device": ("--device 'gpu'", ["--device", "gpu"]),
    "bad_shape": ("--shape '1,64,4' is no shape", ["--shape", "1,64,4"]),
    "shape_of_a_long_number": ("is no shape", ["--shape", f"1,{'9' * 5000},4,8"]),
    "shape_that_overflows": ("overflow 63 bits", ["--shape", "1,9999999999999999999,4,8"]),
    "shape_with_a_zero": ("tokens is 0", ["--shape", "1,0,4,8"]),
    "bad_sizes": ("--bytes 1K:2 is no range", ["--bytes", "1K:2"]),
    "rows_without_sizes": ("--row-bytes belongs to --bytes", ["--row-bytes", "256"]),
    "too_few_rounds": ("--rounds '1': give a whole number", ["--rounds", "1"]),
    "no_timeout": ("--timeout '0': give seconds", ["--timeout", "0"]),
    "empty_out": ("--out is empty", ["--out", ""]),
    "not_under_torchrun": ("torchrun --standalone --nproc-per-node=2 scripts/compare_pytorch.py", []),
}  # fmt: skip


def bad_input(says, arguments, folder):
    outcome = launch.run([sys.executable, PROGRAM, *arguments], 30)
    check_refusal(outcome.stderr, says)
    assert outcome.exit_code == 2
    assert not list(folder.iterdir()), "it wrote something"


def check_refusal(stderr, says):
    messages = re.findall("^compare_pytorch: .*", stderr, re.MULTILINE)
    assert len(messages) == 1, f"{len(messages)} messages, not one"
    assert re.search(says, messages[0]), f"the message does not match '{says}'"


def no_torch(folder):
    """A module that can't be imported stands for one that is absent."""
    (folder / "torch.py").write_text("raise ImportError('not here')", encoding="utf-8")
    ranks = {"RANK": "0", "WORLD_SIZE": "2", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "2"}
    command = ["env", f"PYTHONPATH={folder}", *(f"{name}={value}" for name, value in ranks.items())]
    outcome = launch.run([*command, sys.executable, PROGRAM], 30)
    check_refusal(outcome.stderr, "can't import torch: not here")
    assert outcome.exit_code == 2


CASES = {f"bad_input_{name}": functools.partial(bad_input, *bad) for name, bad in BAD_INPUT.items()} | {
    each.__name__: each
    for each in (
        metrics_as_ithaca_bench,
        order_as_ithaca_bench,
        slowdown_as_ithaca_bench,
        pattern_differs,
        sizes_as_ithaca_bench,
        shares_that_are_not_even,
        launches,
        merged_table,
        reports_that_are_not_comparable,
        reports_that_are_damaged,
        files_of_shapes_that_are_damaged,
        chosen_by_name,
        no_torch,
    )
}  # fmt: skip

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
