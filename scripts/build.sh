#!/usr/bin/env bash
# Configures and builds a preset of CMakePresets.json with all cores.
# Usage: scripts/build.sh PRESET [arguments of 'cmake --build']
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset="${1:?give a preset of CMakePresets.json, e.g. release}"
shift

if command -v ccache >/dev/null; then
  # CMake takes them for a build folder's first configuration.
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
fi
cmake --preset "$preset"
cmake --build --preset "$preset" --parallel "$(nproc)" "$@"
