#!/usr/bin/env bash
# Measures on this machine's GPUs and holds the run against a baseline; asks again with four launches
# where one leaves it ambiguous. Leaves reports, gate.xml and gate.json in out/gate.
#
# Usage: scripts/ci/gpu-gate.sh BASELINE RANKS ARGUMENTS...   (those that the baseline was measured with,
# without --seed and --out). Needs a build: scripts/build.sh release. Exit codes: the gate's; 2 also where
# a launch could not be measured, or was refuted.
set -euo pipefail

if (($# < 3)); then
  echo "gpu-gate: give a baseline, a number of ranks, and what ithaca-bench was started with" >&2
  exit 2
fi
readonly baseline="$1" ranks="$2"
shift 2

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
readonly build="$root/build/release"
readonly out="$root/out/gate"
rm -rf "$out"
mkdir -p "$out"

measure() {
  local exit_code=0
  mpirun --bind-to none -np "$ranks" "$build/bench/ithaca-bench" "${@:2}" --seed "$1" \
    --out "$out/launch-$1" || exit_code=$?
  # Whatever a run ends with that could not be measured or was refuted: it is no slow change.
  ((exit_code == 0)) && return
  echo "gpu-gate: launch $1 was not measured (exit code $exit_code): nothing is gated" >&2
  exit 2
}

# Says the verdict in every form that somebody reads; ends with its exit code.
gate() {
  local -a reports=("$out"/launch-*/report.json)
  local exit_code=0
  "$build/reports/ithaca-gate" --baseline "$baseline" "${reports[@]}" || exit_code=$?
  for format in junit:xml json:json; do
    "$build/reports/ithaca-gate" --baseline "$baseline" --format "${format%:*}" \
      --out "$out/gate.${format#*:}" "${reports[@]}" 2>/dev/null || true
  done
  return "$exit_code"
}

# Seeds that no baseline was measured with: the order of the arms is another.
measure 101 "$@"
verdict=0
gate || verdict=$?
if ((verdict == 4)); then
  echo "gpu-gate: ambiguous: three launches more"
  for seed in 102 103 104; do measure "$seed" "$@"; done
  verdict=0
  gate || verdict=$?
fi
if [[ -n "${GITHUB_ACTIONS:-}" ]]; then
  "$build/reports/ithaca-gate" --baseline "$baseline" --format github "$out"/launch-*/report.json || true
fi
exit "$verdict"
