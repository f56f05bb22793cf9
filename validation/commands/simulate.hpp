#pragma once

#include <string>
#include <vector>

#include "validation/commands/command.hpp"
#include "validation/simulation/exploration.hpp"

namespace ithaca::validation {

/// Exchanges of every arm that a simulated device can run, in schedules chosen by seeds; in this
/// process alone.
class simulate_command final : public command {
 public:
  std::string_view name() const override { return "simulate"; }
  std::string_view summary() const override {
    return "Explores schedules of simulated ranks for missing order and deadlocks (no mpirun)";
  }
  void declare(CLI::App& app) override;
  void judge() override;
  int run_alone() override;

 private:
  struct typed_options {
    std::string ranks = "4", exchanges = "1000", seeds = "10", seed, arms = "all";
    bool bytes = false;
  };

  typed_options typed_;
  exploration wanted_;
  std::vector<std::string> arms_;  // by name
};

}  // namespace ithaca::validation
