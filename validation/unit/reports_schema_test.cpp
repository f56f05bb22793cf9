#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "reports/report_file.hpp"
#include "validation/unit/reports_example.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::reports {
namespace {

namespace fs = std::filesystem;

/// Reports in files of their own, and what scripts/check_schema.py says about them all at once.
class report_schema : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c 'import jsonschema' 2>/dev/null") != 0) {
      GTEST_SKIP() << "python3-jsonschema is not installed";
    }
  }

  std::string add(const json& report) {
    files_.push_back((folder_ / (std::to_string(files_.size()) + ".json")).string());
    std::ofstream(files_.back()) << report.dump();
    return files_.back();
  }
  /// The script's exit code; what it prints is in `said_`.
  int check() {
    const std::string output = (folder_ / "output").string();
    std::string command = "python3 " ITHACA_SOURCE_DIR "/scripts/check_schema.py";
    for (const std::string& file : files_) command += " " + file;
    const int status = std::system((command + " > " + output + " 2>&1").c_str());
    std::ifstream file(output);
    said_.assign(std::istreambuf_iterator<char>(file), {});
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  temporary_folder folder_;
  std::vector<std::string> files_;
  std::string said_;
};

TEST_F(report_schema, matches_what_is_written) {
  add(to_json(example_report()));
  report bare;
  bare.machine.device = "host";
  bare.run.started_at = "2026-08-06T09:30:00Z";
  bare.run.note = note_on_times("host");
  add(to_json(bare));
  EXPECT_EQ(check(), 0) << said_;
}

TEST_F(report_schema, matches_nothing_else) {
  const json whole = to_json(example_report());
  const auto change = [&](const char* at, const json& value) {
    json copy = whole;
    copy[json::json_pointer(at)] = value;
    add(copy);
  };
  change("/schema_version", 1);
  change("/machine/paths/0/link", 18);
  change("/machine/limits/cpus", 0);
  change("/kernels", json::array());
  change("/kernels/0/copy_share", 0);
  change("/kernels/1/bytes", 0.5);
  change("/telemetry/warm_up/after_ms", -1);
  change("/telemetry/scenarios/0/sm_mhz/0/0", "fast");
  change("/telemetry/scenarios/0/throttled/0/reasons", json::array());
  change("/machine/hostname", "x");
  change("/run/started_at", "yesterday");
  change("/cells/0/samples_ns/0/0/0", 0);
  change("/cells/0/reason", "x");
  change("/cells/0/checked/mismatched_bytes", 1);
  change("/cells/0/metrics/time_us/ci95", {1});
  change("/cells/0/mode", "both");
  change("/cells/0/overlap/stage_ns", 0.5);
  change("/cells/0/overlap/hidden_fraction", 1.5);
  change("/cells/0/overlap/exposed_us", 1);
  change("/cells/0/overlap/tags/v/windows", -1);
  change("/cells/0/overlap/tags/v/beside_ns/matmul", "long");
  change("/cells/3/overlap", whole["cells"][0]["overlap"]);
  change("/cells/3/reason", nullptr);
  change("/cells/4/metrics", whole["cells"][0]["metrics"]);
  change("/cells/4/samples_ns", {{{1}}});
  json without = whole;
  without["run"].erase("seed");
  add(without);
  EXPECT_EQ(check(), 1) << said_;
  for (const std::string& file : files_) {
    EXPECT_NE(said_.find(file + ": does not match the schema"), std::string::npos) << said_;
  }
}

TEST_F(report_schema, is_no_answer_to_bad_use) {
  EXPECT_EQ(check(), 2) << said_;
  add(to_json(example_report()));
  files_.push_back((folder_ / "missing.json").string());
  EXPECT_EQ(check(), 2) << said_;
  EXPECT_NE(said_.find("missing.json can't be read"), std::string::npos) << said_;
}

}  // namespace
}  // namespace ithaca::reports
