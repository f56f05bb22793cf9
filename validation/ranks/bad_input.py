"""Bad input of every kind: one clear message, exit code 2, nothing written, no hang."""

import dataclasses
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence

import launch

# A refusal takes a second or two; this leaves room for sanitizers and busy machines.
SOON_S = 30


@dataclasses.dataclass
class BadInput:
    says: str  # what the message must match
    arguments: Sequence[str] = ()  # behind `scatter`
    ranks: int = 2
    environment: Mapping[str, str] = dataclasses.field(default_factory=dict)


HOST = ("--device", "host")
SMALL = (*HOST, "--shape", "1,64,4,8", "--rounds", "2", "--iterations", "1")

# ithaca-bench scatter, the same on all ranks.
SCATTER = {
    "unknown_flag": BadInput("no option '--shaped'.*did you mean '--shapes?'", ["--shaped", "x"]),
    "stray_word": BadInput("'flux' belongs to no option", [*SMALL, "flux"]),
    "flag_without_value": BadInput("--rounds", [*HOST, "--rounds"]),
    "unknown_arm": BadInput("arm.*'copyengine'.*did you mean 'copy-engine'", [*SMALL, "--arms", "copyengine"]),
    "unknown_reference": BadInput("arm.*'mpj'.*did you mean 'mpi'", [*SMALL, "--reference", "mpj"]),
    "reference_all": BadInput("--reference 'all': give the one arm", [*SMALL, "--reference", "all"]),
    "unknown_listed_arm": BadInput("arm.*'ncll'.*did you mean 'nccl'", ["--list", "--arms", "ncll"]),
    "unknown_listed_reference": BadInput("arm.*'mpj'.*did you mean 'mpi'", ["--list", "--reference", "mpj"]),
    "unknown_listed_shape": BadInput("shape.*'flux.1-dev-1023'", ["--list", "--shapes", "flux.1-dev-1023"]),
    "dry_run_too_large_for_memory": BadInput("1x16777216x256x256.*MiB more memory than is free", [*HOST, "--shape", "1,16777216,256,256", "--dry-run"]),
    "nccl_is_empty": BadInput("--nccl is empty", [*SMALL, "--nccl", ""]),
    "unknown_shape": BadInput("shape.*'flux.1-dev-1023'.*did you mean 'flux.1-dev-1024'", [*HOST, "--shapes", "flux.1-dev-1023"]),
    "unknown_dtype": BadInput("--dtypes 'bf61'.*did you mean 'bf16'", [*SMALL, "--dtypes", "bf61"]),
    "unknown_mode": BadInput("--mode 'pipeline'.*did you mean 'pipelined'", [*SMALL, "--mode", "pipeline"]),
    "unknown_device": BadInput("--device 'gpu'", ["--device", "gpu"]),
    "degree_does_not_divide": BadInput("--degrees 2 does not divide 3 ranks", [*SMALL, "--degrees", "2"], ranks=3),
    "degree_above_ranks": BadInput("--degrees 4 does not divide 2 ranks", [*SMALL, "--degrees", "4"]),
    "degree_of_one": BadInput("--degrees '1': give a whole number", [*SMALL, "--degrees", "1"]),
    "fewer_heads_than_ranks": BadInput("heads", [*HOST, "--shape", "1,64,1,8"]),
    "shape_with_three_numbers": BadInput("--shape '1,64,4'", [*HOST, "--shape", "1,64,4"]),
    "shape_with_a_zero": BadInput("1x0x4x8.*tokens is 0", [*HOST, "--shape", "1,0,4,8"]),
    "shape_too_large_for_memory": BadInput("1x16777216x256x256.*MiB more memory than is free", [*HOST, "--shape", "1,16777216,256,256"]),
    "shape_too_large_to_count": BadInput("1x9223372036854775807x4x8.*overflow", [*HOST, "--shape", "1,9223372036854775807,4,8"]),
    "rounds_are_no_number": BadInput("--rounds 'ten': give a whole number", [*SMALL, "--rounds", "ten"]),
    "too_few_rounds": BadInput("--rounds '1': give a whole number", [*SMALL, "--rounds", "1"]),
    "no_iterations": BadInput("--iterations '0': give a whole number", [*SMALL, "--iterations", "0"]),
    "negative_seed": BadInput("--seed '-1': give a whole number", [*SMALL, "--seed", "-1"]),
    "no_timeout": BadInput("--timeout '0': give seconds", [*SMALL, "--timeout", "0"]),
    "out_below_a_file": BadInput("/dev/null/x can't be written.*--out", [*SMALL, "--out", "/dev/null/x"]),
    "out_is_a_file": BadInput("/dev/null.*can't be written.*--out", [*SMALL, "--out", "/dev/null"]),
    "out_is_empty": BadInput("--out is empty", [*SMALL, "--out", ""]),
    "scenarios_absent": BadInput("absent.json can't be read", [*HOST, "--scenarios", "absent.json"]),
    "one_rank": BadInput("at least two ranks.*mpirun -np 2", SMALL, ranks=1),
    "benchmark_out_flag": BadInput("--benchmark_out=x.*--out", [*SMALL, "--benchmark_out=x"]),
    "benchmark_interleaving_flag": BadInput("--benchmark_enable_random_interleaving.*--seed", [*SMALL, "--benchmark_enable_random_interleaving"]),
    "benchmark_out_variable": BadInput("BENCHMARK_OUT", SMALL, environment={"BENCHMARK_OUT": "x"}),
    "benchmark_log_level_variable": BadInput("environment variable V .*env -u V", SMALL, environment={"V": "3"}),
    "benchmark_interleaving_variable": BadInput(
        "BENCHMARK_ENABLE_RANDOM_INTERLEAVING", SMALL, environment={"BENCHMARK_ENABLE_RANDOM_INTERLEAVING": "true"}
    ),
}  # fmt: skip


def check_refusal(outcome, folder, says):
    # Without mpirun's own words behind it, nothing but the message's line is left.
    said = re.sub(r"^-{10,}$.*?^-{10,}$\n?", "", outcome.stderr, flags=re.DOTALL | re.MULTILINE)
    assert re.fullmatch(r"ithaca-(bench|validate): [^\n]+\n", said), f"not one line: {said!r}"
    assert len(outcome.messages) == 1, f"{len(outcome.messages)} messages, not one"
    assert re.search(says, outcome.messages[0]), f"the message does not match '{says}'"
    assert outcome.exit_code == 2, f"exit code {outcome.exit_code}, not 2"
    left = [str(each) for each in folder.rglob("*")]
    assert not left, f"left behind: {left}"


def refuse_scatter(bad, folder):
    job = launch.ranks(
        bad.ranks, launch.bench(), "scatter", *bad.arguments, environment=bad.environment
    )
    check_refusal(launch.mpirun(job, within_s=SOON_S), folder, bad.says)


def too_few_gpus(folder):
    gpus = launch.gpu_count()
    number = max(2, gpus + 1)
    says = "more ranks than GPUs" if gpus else "no GPU is usable"
    refuse_scatter(BadInput(says, ["--device", "cuda"], ranks=number), folder)


def different_arguments(folder):
    jobs = [launch.ranks(1, launch.bench(), "scatter", *SMALL, "--seed", seed) for seed in "12"]
    outcome = launch.mpirun(*jobs, within_s=SOON_S)
    check_refusal(outcome, folder, "different arguments.*'--seed' '1'.*'--seed' '2'")


def wrong_arguments_on_one_rank(folder):
    jobs = [launch.ranks(1, launch.bench(), "scatter", *SMALL, *more) for more in ([], ["--wrong"])]
    check_refusal(launch.mpirun(*jobs, within_s=SOON_S), folder, "different arguments.*'--wrong'")


def benchmark_variable_on_one_rank(folder):
    environments = [None, {"BENCHMARK_OUT": "x"}]
    jobs = [
        launch.ranks(1, launch.bench(), "scatter", *SMALL, environment=each)
        for each in environments
    ]
    check_refusal(launch.mpirun(*jobs, within_s=SOON_S), folder, "BENCHMARK_OUT")


def no_mpirun(folder):
    outcome = launch.run([launch.bench(), "scatter", *SMALL], SOON_S)
    check_refusal(outcome, folder, "mpirun -np 2 ithaca-bench scatter")


def no_command(folder):
    outcome = launch.mpirun(launch.ranks(2, launch.bench()), within_s=SOON_S)
    check_refusal(outcome, folder, "'ithaca-bench scatter'")


def unknown_command(folder):
    outcome = launch.mpirun(launch.ranks(2, launch.bench(), "scater"), within_s=SOON_S)
    check_refusal(outcome, folder, "no command 'scater'.*did you mean 'scatter'")


def validate_unknown_flag(folder):
    for words, meant in (["--dtype", "bf16"], "--dtypes"), (["simulate", "--rank", "2"], "--ranks"):
        job = launch.ranks(2, launch.validate(), *words)
        outcome = launch.mpirun(job, within_s=SOON_S)
        check_refusal(outcome, folder, f"no option {words[-2]}; did you mean '{meant}'")


def validate_unknown_command(folder):
    job = launch.ranks(2, launch.validate(), "probee")
    check_refusal(launch.mpirun(job, within_s=SOON_S), folder, "no command; did you mean 'probe'")


def validate_unknown_arm(folder):
    job = launch.ranks(2, launch.validate(), *HOST, "--arms", "copyengine")
    check_refusal(launch.mpirun(job, within_s=SOON_S), folder, "did you mean 'copy-engine'")


def validate_one_rank(folder):
    job = launch.ranks(1, launch.validate(), *HOST)
    check_refusal(launch.mpirun(job, within_s=SOON_S), folder, "at least 2")


def validate_no_mpirun(folder):
    outcome = launch.run([launch.validate(), *HOST], SOON_S)
    check_refusal(outcome, folder, "mpirun -np 2 ithaca-validate")


def simulate_one_rank(folder):
    outcome = launch.run([launch.validate(), "simulate", "--ranks", "1"], SOON_S)
    check_refusal(outcome, folder, "--ranks")


def simulate_under_mpirun(folder):
    check_refusal(
        launch.mpirun(launch.ranks(2, launch.validate(), "simulate")), folder, "without mpirun"
    )


def simulate_arm_of_another_device(folder):
    outcome = launch.run([launch.validate(), "simulate", "--arms", "nccl"], SOON_S)
    check_refusal(outcome, folder, "can't be simulated")


def validate_unknown_dtype(folder):
    job = launch.ranks(2, launch.validate(), *HOST, "--dtypes", "bf16,fp61")
    check_refusal(launch.mpirun(job, within_s=SOON_S), folder, "--dtypes 'fp61'.*'fp16'")


# What --nccl is given: the files that a test makes, and what is said of them.


def compile_library(file, source):
    compiler = os.environ["ITHACA_C_COMPILER"]
    command = [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", str(file)]
    subprocess.run(command, input=source, text=True, check=True)
    return file


# What this build needs of every NCCL, as functions that do nothing.
NEEDED = (
    *("GetErrorString", "GetLastError", "GetUniqueId", "CommInitRankConfig", "CommDestroy"),
    *("CommAbort", "MemAlloc", "MemFree"),
)


def fake_nccl(file, version, *more):
    stubs = "".join(f"int nccl{name}(void) {{ return 1; }}\n" for name in (*NEEDED, *more))
    told = f"int ncclGetVersion(int* to) {{ *to = {version}; return 0; }}\n"
    return compile_library(file, stubs + told)


def refuse_nccl(make, says, _folder):
    """Both programs refuse the library that `make` puts into a folder beside the working one."""
    if not launch.with_nccl():
        says = "this build has no NCCL"
    with tempfile.TemporaryDirectory(prefix="ithaca-nccl-") as elsewhere:
        named = make(pathlib.Path(elsewhere)) if launch.with_nccl() else elsewhere
        for program in ([launch.bench(), "scatter", *SMALL], [launch.validate(), *HOST]):
            job = launch.ranks(2, *program, "--nccl", named)
            check_refusal(launch.mpirun(job, within_s=SOON_S), _folder, f"--nccl '.*': .*{says}")


def text_file(folder):
    file = folder / "libnccl.so.2"
    file.write_text("no library", encoding="utf-8")
    return file


def nccl_of_different_versions(folder):
    if not launch.with_nccl():
        raise launch.Skip("a build without NCCL")
    with tempfile.TemporaryDirectory(prefix="ithaca-nccl-") as name:
        elsewhere = pathlib.Path(name)
        jobs = []
        for place, version in (("one", 22809), ("two", 23203)):
            (elsewhere / place).mkdir()
            fake_nccl(elsewhere / place / "libnccl.so.2", version, "AlltoAll")
            # The same arguments, seen from different folders.
            jobs.append(launch.ranks(1, launch.bench(), "scatter", *SMALL, "--nccl", ".",
                                     folder=elsewhere / place))  # fmt: skip
        outcome = launch.mpirun(*jobs, within_s=SOON_S)
    check_refusal(outcome, folder, "different NCCL versions.*2.28.9.*2.32.3")


def refused_unheard(folder):
    """A refusal that nobody can read is one all the same."""
    del folder
    for redirection in ("2>&-", "2>/dev/full"):
        for program in (f"{launch.bench()} --bogus", f"{launch.validate()} simulate --ranks 99"):
            outcome = launch.run(["bash", "-c", f"{program} {redirection}"], SOON_S)
            assert outcome.exit_code == 2, (program, redirection, outcome.exit_code)


def nowhere_to_print(folder):
    """What was asked for could not be shown: no success."""
    del folder
    for what in ("--help", "scatter --list"):
        outcome = launch.run(["bash", "-c", f"{launch.bench()} {what} >/dev/full"], SOON_S)
        assert outcome.exit_code == 2, (what, outcome.exit_code)
        assert "standard output can't be written" in outcome.stderr


def largest_seed(folder):
    """Schedules that don't exist are none that passed."""
    del folder
    command = [launch.validate(), "simulate", "--seed", str(2**64 - 1), "--arms", "push"]
    outcome = launch.run(command, SOON_S)
    assert outcome.exit_code == 2 and "give a smaller one" in outcome.text


NCCL = {
    "nccl_is_absent": (lambda folder: folder / "none.so", "there is no such file"),
    "nccl_is_an_empty_folder": (lambda folder: folder, "the folder holds no libnccl.so.2"),
    "nccl_is_a_text": (text_file, "NCCL can't be loaded.*libnccl.so.2"),
    "nccl_is_another_library": (
        lambda folder: compile_library(folder / "other.so", "int other(void) { return 1; }"),
        "no NCCL since 2.19: it has no nccl",
    ),
    "nccl_is_too_old": (
        lambda folder: fake_nccl(folder / "old.so", 22703),
        "NCCL 2.27.3 has no ncclAlltoAll, which came with 2.28",
    ),
}

CASES = {name: functools.partial(refuse_scatter, bad) for name, bad in SCATTER.items()} | {
    each.__name__: each
    for each in (
        too_few_gpus,
        different_arguments,
        wrong_arguments_on_one_rank,
        benchmark_variable_on_one_rank,
        no_mpirun,
        no_command,
        unknown_command,
        validate_unknown_flag,
        validate_unknown_command,
        validate_unknown_arm,
        validate_one_rank,
        validate_no_mpirun,
        validate_unknown_dtype,
        simulate_one_rank,
        simulate_under_mpirun,
        simulate_arm_of_another_device,
        refused_unheard,
        nowhere_to_print,
        largest_seed,
        nccl_of_different_versions,
    )
} | {name: functools.partial(refuse_nccl, *how) for name, how in NCCL.items()}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
