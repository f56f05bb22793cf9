#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backend/group.hpp"
#include "bench/arm.hpp"
#include "bench/nccl_choice.hpp"
#include "validation/check_lines.hpp"

namespace ithaca::validation {

/// Which arms are looked at, and the NCCL of those that take one: --arms, --nccl.
class arm_options {
 public:
  void declare(CLI::App& app);
  /// Throws `invalid_use`.
  void judge();

  /// Collective. Throws `invalid_use`.
  bench::chosen_nccl choose_nccl(group& world) const { return bench::choose_nccl(nccl_, world); }
  /// Visits every chosen arm, and ends its lines. One that was named and does not run on this kind
  /// of device is a skipped line.
  void each(device_kind kind, check_lines& lines,
            const std::function<void(const bench::arm&)>& visit) const;

 private:
  std::string arms_text_ = "all";
  std::optional<std::string> nccl_text_;
  std::vector<std::string> arms_;
  bool all_ = false;  // then those of other devices are left out
  std::optional<std::filesystem::path> nccl_;
};

}  // namespace ithaca::validation
