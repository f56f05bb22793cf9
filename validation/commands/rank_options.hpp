#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "backend/device.hpp"
#include "backend/group.hpp"
#include "bench/device_choice.hpp"

namespace ithaca::validation {

/// On which device the ranks run, and how long they wait: --device, --share-gpu, --timeout.
class rank_options {
 public:
  /// `timeout`: the usual one, in seconds.
  explicit rank_options(std::string timeout) : timeout_text_(std::move(timeout)) {}

  /// `shared`: what --share-gpu means; null: the command has no such flag.
  void declare(CLI::App& app, const char* shared);
  /// Throws `invalid_use`.
  void judge();

  bool shares_gpu() const { return shares_gpu_; }
  /// Collective: sets the group's deadline and opens this rank's device. Throws `invalid_use`, also
  /// for one rank alone.
  bench::chosen_device open(group& world) const;

 private:
  std::string device_text_ = "auto";
  std::string timeout_text_;
  bool shares_gpu_ = false;
  std::optional<device_kind> device_;
  std::chrono::milliseconds timeout_{};
};

}  // namespace ithaca::validation
