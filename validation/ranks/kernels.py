"""`ithaca-validate kernels` on a GPU: every kernel beside its host form, and under the tools that
watch what kernels do to memory and to each other."""

import functools
import pathlib
import re
import shutil
import sys

import launch

KERNELS = {
    *("fill_kernel", "poison_kernel", "check_kernel", "pack_kernel", "relayout_kernel"),
    *("own_chunk_kernel", "norm_rope_kernel", "random_bf16_kernel", "compare_bf16_kernel"),
    *("push_kernel", "push_bulk_kernel", "push_exchange_kernel", "delay_kernel"),
}
LINE = re.compile(r"^(ok|skip|FAIL) +(\w+_kernel)\b", re.MULTILINE)
TOOL = "compute-sanitizer"


def need_gpu():
    if launch.gpu_count() == 0:
        raise launch.Skip("no GPU, or a build without CUDA")


def check_lines(outcome):
    assert outcome.exit_code == 0
    lines = LINE.findall(outcome.stdout)
    assert not [kernel for word, kernel in lines if word == "FAIL"]
    assert {kernel for _, kernel in lines} == KERNELS


def no_gpu(_folder):
    if launch.gpu_count() > 0:
        raise launch.Skip("there is a GPU")
    outcome = launch.run([launch.validate(), "kernels"])
    assert outcome.exit_code == 2
    assert re.search(r"no CUDA|no GPU|GPU", "".join(outcome.messages)), "the reason is not told"


def beside_host(_folder):
    need_gpu()
    check_lines(launch.run([launch.validate(), "kernels"]))


def under(tool, _folder):
    need_gpu()
    found = shutil.which(TOOL) or shutil.which(TOOL, path="/usr/local/cuda/bin")
    if found is None:
        raise launch.Skip(f"{TOOL} was not found")
    # Padding: what lies behind an allocation is not another one.
    padding = ["--padding", "64"] if tool == "memcheck" else []
    outcome = launch.run(
        [pathlib.Path(found), "--tool", tool, *padding, "--error-exitcode", "9"]
        + [launch.validate(), "kernels"],
        within_s=580,
    )
    check_lines(outcome)
    # racecheck sums up in other words than the others.
    assert re.search(r"ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards", outcome.text)


CASES = {
    "without_a_gpu": no_gpu,
    "gpu_beside_host": beside_host,
    "gpu_memcheck": functools.partial(under, "memcheck"),
    "gpu_racecheck": functools.partial(under, "racecheck"),
    "gpu_synccheck": functools.partial(under, "synccheck"),
    "gpu_initcheck": functools.partial(under, "initcheck"),
}

if __name__ == "__main__":
    sys.exit(launch.main(CASES))
