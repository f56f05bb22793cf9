#pragma once

#include <string>

#include "reports/console/command.hpp"

namespace ithaca::traces {

/// ithaca-trace summary TRACE: what a trace holds, in figures.
class summary_command : public console::command {
 public:
  std::string_view name() const override { return "summary"; }
  std::string_view summary() const override {
    return "Tells what a trace holds: rows, busy times, copies, arrows, overlap";
  }
  void declare(CLI::App& app) override;
  int run() override;

 private:
  std::string file_;
  bool json_ = false;
};

}  // namespace ithaca::traces
