#pragma once

#include <string>
#include <vector>

#include "reports/console/command.hpp"

namespace ithaca::reports {

/// ithaca-report merge OUT REPORT...: one report of several launches.
class merge_command : public console::command {
 public:
  std::string_view name() const override { return "merge"; }
  std::string_view summary() const override {
    return "makes one report of those of several launches, with the launch as a factor of its own";
  }
  void declare(CLI::App& app) override;
  int run() override;

 private:
  std::string out_;
  std::vector<std::string> reports_;
};

}  // namespace ithaca::reports
