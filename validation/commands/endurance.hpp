#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "validation/commands/command.hpp"

namespace ithaca::validation {

/// Thousands of exchanges of each arm leave every rank where the first hundred did.
class endurance_command final : public command {
 public:
  std::string_view name() const override { return "endurance"; }
  std::string_view summary() const override {
    return "Checks that thousands of exchanges leave nothing behind, on MPI ranks";
  }
  void declare(CLI::App& app) override;
  void judge() override;
  int run(group& world) override;

 private:
  struct typed_options {
    std::string device = "auto", arms = "all", exchanges = "10000", timeout = "60";
    std::optional<std::string> nccl;
    bool share_gpu = false;
  };

  typed_options typed_;
  std::optional<device_kind> device_;
  std::vector<std::string> arms_;  // by name
  bool all_arms_ = false;          // then those of other devices are left out
  std::uint64_t exchanges_ = 0;
  std::optional<std::filesystem::path> nccl_;
  std::chrono::milliseconds timeout_{};
};

}  // namespace ithaca::validation
