#pragma once

#include <string>
#include <vector>

#include "reports/console/command.hpp"

namespace ithaca::reports {

/// ithaca-report markdown REPORT...: a summary for a pull request, on standard output.
class markdown_command : public console::command {
 public:
  std::string_view name() const override { return "markdown"; }
  std::string_view summary() const override {
    return "prints a summary of reports in Markdown, for a pull request";
  }
  void declare(CLI::App& app) override;
  int run() override;

 private:
  std::vector<std::string> reports_;
};

}  // namespace ithaca::reports
