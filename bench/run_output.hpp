#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/measurement.hpp"
#include "bench/run_folder.hpp"
#include "reports/report.hpp"
#include "traces/timeline_record.hpp"

namespace ithaca::bench {

/// The files that a run leaves. What can't be written is remembered, and the measuring goes on: the
/// table can still be shown.
class run_output {
 public:
  /// Writes nothing.
  run_output() = default;
  /// Without a folder nothing is written, either. `benchmark_json`: the file for Google Benchmark's
  /// tools, where it is wanted.
  run_output(std::optional<run_folder> folder, std::optional<std::filesystem::path> benchmark_json)
      : folder_(std::move(folder)), benchmark_json_(std::move(benchmark_json)) {}

  /// The report as it stands, and its page.
  void write_report(const reports::report& of);
  void write_trace(const std::vector<traces::timeline_record>& timeline, const reports::report& of);
  /// The measured cells, less the rounds that throttling discards.
  void write_benchmarks(const std::vector<measurement>& measurements,
                        const reports::telemetry& seen);

  /// Why a file could not be written, the first time; empty if all were.
  const std::string& failure() const { return failure_; }

 private:
  void keep(std::string failure);

  std::optional<run_folder> folder_;
  std::optional<std::filesystem::path> benchmark_json_;
  std::string failure_;
};

}  // namespace ithaca::bench
