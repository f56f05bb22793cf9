#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "backend/element_type.hpp"
#include "validation/commands/command.hpp"

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
  struct typed_options {
    std::string device = "auto", arms = "all", dtypes = "bf16,fp16,fp32,fp8", timeout = "30";
    std::optional<std::string> nccl;
    bool share_gpu = false;
  };

  typed_options typed_;
  std::optional<device_kind> device_;
  std::vector<std::string> arms_;  // by name
  bool all_arms_ = false;          // then those of other devices are left out
  std::vector<element_type> types_;
  std::optional<std::filesystem::path> nccl_;
  std::chrono::milliseconds timeout_{};
};

}  // namespace ithaca::validation
