#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "backend/element_type.hpp"
#include "validation/commands/arm_options.hpp"
#include "validation/commands/command.hpp"
#include "validation/commands/rank_options.hpp"

namespace ithaca::validation {

/// The contract of every arm, check by check, on this machine.
class prove_command final : public command {
 public:
  std::string_view name() const override { return ""; }
  std::string_view summary() const override {
    return "Proves the exchange on this machine: mpirun -np RANKS ithaca-validate";
  }
  void declare(CLI::App& app) override;
  void judge() override;
  int run(group& world) override;

 private:
  std::string dtypes_text_ = "bf16,fp16,fp32,fp8";
  rank_options ranks_{"30"};
  arm_options arms_;
  std::vector<element_type> types_;
};

}  // namespace ithaca::validation
