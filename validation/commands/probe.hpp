#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "backend/device.hpp"
#include "validation/commands/command.hpp"

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
  struct typed_options {
    std::string device = "auto", timeout = "30";
    std::optional<std::string> json;
  };

  typed_options typed_;
  std::optional<device_kind> device_;
  std::optional<std::filesystem::path> json_;
  std::chrono::milliseconds timeout_{};
};

}  // namespace ithaca::validation
