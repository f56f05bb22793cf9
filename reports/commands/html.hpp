#pragma once

#include <string>
#include <vector>

#include "reports/console/command.hpp"

namespace ithaca::reports {

/// ithaca-report html OUT.html REPORT...: one page of one or several reports.
class html_command : public console::command {
 public:
  std::string_view name() const override { return "html"; }
  std::string_view summary() const override {
    return "makes one HTML file of reports, which opens without a network";
  }
  void declare(CLI::App& app) override;
  int run() override;

 private:
  std::string out_;
  std::vector<std::string> reports_;
};

}  // namespace ithaca::reports
