#pragma once

#include <string>
#include <vector>

#include "reports/console/command.hpp"

namespace ithaca::traces {

/// ithaca-trace lint TRACE...: what an importer would refuse, drop or misread.
class lint_command : public console::command {
 public:
  std::string_view name() const override { return "lint"; }
  std::string_view summary() const override {
    return "Says what a viewer would refuse, drop or misread in traces";
  }
  void declare(CLI::App& app) override;
  int run() override;

 private:
  std::vector<std::string> files_;
  bool quiet_ = false;
  bool json_ = false;
};

}  // namespace ithaca::traces
