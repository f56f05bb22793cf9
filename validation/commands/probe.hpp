#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "backend/device.hpp"
#include "validation/commands/command.hpp"
#include "validation/commands/rank_options.hpp"

namespace ithaca::validation {

/// Tries the path between every two ranks of a host, in both directions, and measures it: the
/// health check of a node.
class probe_command final : public command {
 public:
  std::string_view name() const override { return "probe"; }
  std::string_view summary() const override {
    return "Tries and measures the paths between all ranks: mpirun -np RANKS ithaca-validate probe";
  }
  void declare(CLI::App& app) override;
  void judge() override;
  int run_split(group& world, const bench::group_splitter& split) override;

 private:
  std::optional<std::string> json_text_;
  rank_options ranks_{"30"};
  std::optional<std::filesystem::path> json_;
};

}  // namespace ithaca::validation
