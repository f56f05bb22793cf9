#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "backend/device.hpp"
#include "bench/arm.hpp"
#include "validation/commands/command.hpp"
#include "validation/commands/rank_options.hpp"
#include "validation/faults/fault_plan.hpp"

namespace ithaca::validation {

/// Exchanges in which one rank fails, to see what the others make of it.
class fault_command final : public command {
 public:
  std::string_view name() const override { return "fault"; }
  std::string_view summary() const override {
    return "Lets one rank fail at a point of an exchange, to see how the others end";
  }
  void declare(CLI::App& app) override;
  void judge() override;
  int run(group& world) override;

 private:
  struct typed_options {
    std::string point = "within-exchange", how = "kill", arm = "copy-engine", rank = "0",
                exchange = "3", exchanges = "6";
  };

  typed_options typed_;
  rank_options ranks_{"10"};
  fault_plan plan_;
  int exchanges_ = 0;
  const bench::arm* arm_ = nullptr;
};

}  // namespace ithaca::validation
