#!/usr/bin/env bash
# Measures the scatter on this machine, from whatever state it is in: installs what is missing,
# builds, starts one rank for each GPU (with fewer than two GPUs: four ranks on the host device), and
# prints the table and where the report, its page (report.html, for a browser) and the trace are.
#
# Usage: scripts/run.sh [arguments of 'ithaca-bench scatter']
# They stand behind the defaults below and overrule them; paths are relative to the checkout.
# Exit codes: those of ithaca-bench.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly program=build/release/bench/ithaca-bench
readonly host_ranks=4

gpu_count() {
  if [[ -n "${CUDA_VISIBLE_DEVICES+set}" ]]; then
    tr , '\n' <<<"$CUDA_VISIBLE_DEVICES" | grep --count . || true
  else
    { nvidia-smi --list-gpus 2>/dev/null || true; } | grep --count '^GPU ' || true
  fi
}

# A toolkit that is too old is found as well, and not used.
built_with_cuda() {
  cmake --build --preset release --target help | grep ithaca_backend_cuda >/dev/null
}

# chooses_shapes ARGUMENT...: whether the arguments say which shapes to measure.
chooses_shapes() {
  local argument
  for argument in "$@"; do
    case "$argument" in
      --shape | --shape=* | --shapes | --shapes=* | --scenarios | --scenarios=* | --bytes | --bytes=*) return 0 ;;
    esac
  done
  return 1
}

# Sets `ranks` and `defaults`, and says what can't be measured here and why.
choose_run() {
  local gpus
  gpus="$(gpu_count)"
  if ((gpus >= 2)) && built_with_cuda; then
    ranks="$gpus"
    defaults=(--device cuda --rounds 10)
    echo "run: $ranks ranks, one for each GPU"
    return
  fi
  ranks="$host_ranks"
  # So much as two cores do within a minute.
  defaults=(--device host --rounds 4 --iterations 3)
  chooses_shapes "$@" || defaults+=(--shape "1,2048,8,64" --shape "2,1000,12,128")
  if ((gpus >= 2)); then
    echo "run: $gpus GPUs, but this build has no CUDA device (the CUDA toolkit, 12.5 or later, is needed)"
  else
    echo "run: $gpus GPUs usable here; an exchange between GPUs takes two or more"
  fi
  echo "run: so $ranks ranks on the host device. Skipped: the NCCL arms, and the trace by CUPTI (the" \
    "host device keeps records of its own). Its times say nothing about GPUs."
}

# Sets `mpirun_flags`.
choose_mpirun_flags() {
  # A rank is several threads: bound to one core, which mpirun does by itself, they would share it.
  # Ranks may outnumber the cores, which mpirun counts in its own way; where they don't, the flag
  # changes nothing.
  mpirun_flags=(-np "$ranks" --bind-to none --oversubscribe)
  ((EUID != 0)) || mpirun_flags+=(--allow-run-as-root)
}

scripts/setup.sh
scripts/build.sh release --target ithaca-bench ithaca-validate
choose_run "$@"
choose_mpirun_flags
exec mpirun "${mpirun_flags[@]}" "$program" scatter "${defaults[@]}" "$@"
