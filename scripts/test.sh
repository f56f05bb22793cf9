#!/usr/bin/env bash
# Runs every test that this machine can run, from whatever state it is in: installs what is missing,
# builds each preset below and runs its tests. Ends in CTest's summary, at the first preset that
# fails or after the last one; the exit code is that of the step that failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The build that is measured with, with all that is found; the host build under sanitizers; and what
# reads files, under fuzzing.
readonly presets=(release asan-ubsan tsan fuzz)

say_what_is_skipped() {
  if ! nvidia-smi --list-gpus >/dev/null 2>&1; then
    echo "test: no GPU here: what runs on GPUs is built where nvcc is found, but skipped"
  fi
  echo "test: the sanitizers' builds are host builds. ThreadSanitizer is given no MPI ranks, since it" \
    "sees races inside one process only, no simulated ones, which are one thread, and no test that" \
    "races on purpose (the controls)"
}

scripts/setup.sh --for-tests
say_what_is_skipped
for preset in "${presets[@]}"; do
  echo "test: preset $preset"
  scripts/build.sh "$preset"
  # Each test of several ranks says how many processors it takes, so that they don't starve.
  ctest --preset "$preset" --parallel "$(nproc)"
done
