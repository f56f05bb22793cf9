#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "validation/commands/arm_options.hpp"
#include "validation/commands/command.hpp"
#include "validation/commands/rank_options.hpp"

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
  std::string exchanges_text_ = "10000";
  rank_options ranks_{"60"};
  arm_options arms_;
  std::uint64_t exchanges_ = 0;
};

}  // namespace ithaca::validation
