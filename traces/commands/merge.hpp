#pragma once

#include <string>
#include <vector>

#include "reports/console/command.hpp"

namespace ithaca::traces {

/// ithaca-trace merge OUT TRACE...: several traces in one, side by side.
class merge_command : public console::command {
 public:
  std::string_view name() const override { return "merge"; }
  std::string_view summary() const override {
    return "Makes one trace of several, their processes side by side";
  }
  void declare(CLI::App& app) override;
  int run() override;

 private:
  std::string out_;
  std::vector<std::string> files_;
  std::string clock_ = "starts";
};

}  // namespace ithaca::traces
