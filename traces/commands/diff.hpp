#pragma once

#include <string>

#include "reports/console/command.hpp"

namespace ithaca::traces {

/// ithaca-trace diff A B: what two traces did, and how long it took.
class diff_command : public console::command {
 public:
  std::string_view name() const override { return "diff"; }
  std::string_view summary() const override {
    return "Compares what was done in two traces; durations are told, not judged";
  }
  void declare(CLI::App& app) override;
  int run() override;

 private:
  std::string before_;
  std::string after_;
  bool all_ = false;
  bool json_ = false;
  bool quiet_ = false;
};

}  // namespace ithaca::traces
