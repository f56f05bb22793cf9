#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backend/device.hpp"
#include "backend/element_type.hpp"
#include "backend/exchange_plan.hpp"
#include "bench/exchange_mode.hpp"
#include "bench/fabric_file.hpp"
#include "bench/shape.hpp"
#include "bench/size_sweep.hpp"
#include "kernels/norm_rope.hpp"

namespace ithaca::bench {

/// The shapes that a run without --shapes, --shape and --scenarios takes: a small and a middle one
/// whose heads divide over 2, 4 and 8 ranks.
inline constexpr std::array<std::string_view, 2> default_shapes = {"flux.1-dev-1024",
                                                                   "minimax-h3-ablation-u4"};

/// The sizes that `ithaca-bench crossover` takes without --bytes.
inline constexpr const char* crossover_sizes = "64K:256M:2";
inline constexpr const char* host_crossover_sizes = "64K:1M:4";

/// The schedules of `ithaca-bench stage` without --schedules and --tuned.
inline constexpr std::array<std::string_view, 6> default_schedules = {
    "sequential", "v-first", "v-q-k", "chunked", "chunked:own=produced", "head-chunks"};

/// How many ranks can be simulated.
inline constexpr int most_simulated_ranks = 64;

/// What is simulated, with --device sim.
struct simulation_choice {
  int ranks = 0;                                     ///< 0: none were named, and nothing is to run
  std::string fabric = std::string(default_fabric);  ///< as `read_fabric` takes it
  std::optional<std::int64_t> skew_ns = std::nullopt;  ///< empty: the fabric's
  bool move_bytes = false;
  bool operator==(const simulation_choice&) const = default;
};

/// What a command of ithaca-bench was asked for. Names of arms and shapes are
/// as typed: the tables that they are looked up in judge them.
struct exchange_options {
  std::string command = "scatter";
  direction way = direction::scatter;  ///< gather: of the output; otherwise of Q, K and V
  /// Empty: of exchanges all, of stages the device's usual ones.
  std::vector<std::string> arms = {};
  std::vector<std::string> shapes = {};            ///< "all" among them stands for every shape
  std::vector<shape> own_shapes = {};              ///< from --shape
  std::optional<size_sweep> sizes = std::nullopt;  ///< from --bytes: instead of the default shapes
  bool usual_sizes = false;                        ///< none were named: the host device takes fewer
  std::vector<element_type> dtypes = {element_type::bf16};
  std::vector<int> degrees = {};  ///< empty: the number of ranks
  /// Of exchanges.
  std::vector<exchange_mode> modes = {exchange_mode::isolated, exchange_mode::pipelined};
  int rounds = 10;
  int iterations = 5;                                       ///< samples of a cell in a round
  std::optional<device_kind> device = std::nullopt;         ///< empty: cuda where it can be
  simulation_choice simulation = {};                        ///< of the simulated device
  std::optional<std::filesystem::path> out = std::nullopt;  ///< empty: out/<time>-<command>
  std::optional<std::filesystem::path> benchmark_json = std::nullopt;  ///< from --gbench-json
  std::uint64_t seed = 1;
  /// Of stages, as typed. Empty: the command's usual ones.
  std::vector<std::string> schedules = {};
  /// A report of stages, each arm's best schedules of which are compared, too.
  std::optional<std::filesystem::path> tuned = std::nullopt;
  kernels::rope_style rope = kernels::rope_style::neox;
  bool list = false;
  bool dry_run = false;
  bool quiet = false;  ///< nothing is printed but what went wrong
  std::chrono::milliseconds timeout{30'000};
  std::optional<int> push_ctas = std::nullopt;  ///< empty: as many as fill the links of an H200
  std::optional<std::string> reference = std::nullopt;  ///< empty: the device's usual one
  std::optional<std::filesystem::path> scenarios =
      std::nullopt;  ///< empty: the one that is shipped
  std::optional<std::filesystem::path> nccl =
      std::nullopt;  ///< file or folder; empty: found by name
};

/// The program has nothing to run: rank 0 is to print `text` (to standard error unless the exit
/// code is 0), every rank to exit.
struct early_exit {
  std::string text;   ///< without the end of its last line
  int exit_code = 0;  ///< 0: help was asked for; 2: bad use
};

/// Reads the command line. Prints nothing and never exits: under mpirun every rank comes to the
/// same result, and one of them speaks. `environment` is the null-terminated list of "NAME=value".
///
/// Refused are Google Benchmark's flags and environment variables: each process would write its
/// own output file, and its random interleaving, seeded in each process by itself, would put the
/// ranks into different cells.
std::variant<exchange_options, early_exit> parse(int argc, const char* const* argv,
                                                 const char* const* environment);

/// The degrees to run on `ranks` ranks. Throws `invalid_use` for fewer than two ranks, and for a
/// degree that does not divide them.
std::vector<int> degrees_for(const exchange_options& options, int ranks);

}  // namespace ithaca::bench
