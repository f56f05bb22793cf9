#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ithaca::bench {

/// The folder that a run writes into.
class run_folder {
 public:
  /// Makes `chosen`, or out/<UTC time>-<command> with out/latest pointing to it. Throws
  /// `invalid_use` if it can't be made or written.
  run_folder(const std::optional<std::filesystem::path>& chosen, const std::string& command);

  std::filesystem::path report() const { return path_ / "report.json"; }
  std::filesystem::path page() const { return path_ / "report.html"; }
  std::filesystem::path trace() const { return path_ / "trace.json"; }

 private:
  std::filesystem::path path_;
};

}  // namespace ithaca::bench
