#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ithaca::bench {

/// The group of options that help doesn't show: they are taken only to be refused in words.
inline constexpr const char* hidden_options = "";

/// The options as typed. CLI11 splits the line and writes the help; values are judged here, so
/// that every refusal says what to give instead.
struct typed_options {
  std::vector<std::string> arms, shapes, own_shapes, dtypes, degrees, schedules;
  std::optional<std::string> sizes, row_bytes, mode, rounds, iterations, device, out, seed, timeout,
      reference, scenarios, push_ctas, nccl, ranks, fabric, skew, rope, tuned, benchmark_json;
  bool move_bytes = false;
  bool usual_sizes = false;
  bool list = false;
  bool dry_run = false;
  bool quiet = false;
};

/// All commands take the same options, but for the crossover's, which is one of sizes.
void declare(CLI::App& command, typed_options& typed);

}  // namespace ithaca::bench
