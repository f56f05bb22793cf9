#pragma once

#include <string>

#include "validation/commands/command.hpp"

namespace ithaca::validation {

/// Every kernel on a GPU, beside its host form: what tools that watch kernels are given to watch.
class kernels_command final : public command {
 public:
  std::string_view name() const override { return "kernels"; }
  std::string_view summary() const override {
    return "Runs every kernel on a GPU and compares all bytes with its host form";
  }
  void declare(CLI::App& app) override;
  void judge() override;
  int run_alone() override;

 private:
  std::string typed_gpu_ = "0";
  int gpu_ = 0;
};

}  // namespace ithaca::validation
