#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "reports/gate/baseline_file.hpp"
#include "reports/report_file.hpp"
#include "validation/unit/gate_fixture.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::reports::gate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal(const std::vector<named_launch>& launches) {
  return refusal([&] { derive(launches, default_margins()); });
}

// ---- derivation -------------------------------------------------------------------------------

TEST(derive, names_the_launches_and_expects_what_they_had) {
  const baseline made = small_baseline();
  ASSERT_EQ(made.launches.size(), 3u);
  EXPECT_EQ(made.launches[1].file, "launch-2/report.json");
  EXPECT_EQ(made.launches[1].seed, 2u);
  EXPECT_EQ(made.launches[1].content, "content-2");
  EXPECT_EQ(made.machine.gpus, (std::vector<std::string>{"NVIDIA H200", "NVIDIA H200"}));
  EXPECT_EQ(made.machine.driver_major, "580");
  const baseline_cell& copy_engine = made.cells.front();
  EXPECT_EQ(copy_engine.counts.at("kernels.pack_kernel"), 2u);
  const expectation& speedup = copy_engine.metrics.at("speedup");
  EXPECT_NEAR(speedup.value, 2, 0.002);
  EXPECT_EQ(speedup.launches.size(), 3u);
  EXPECT_EQ(speedup.rounds, 10);
  EXPECT_NEAR(speedup.round_error, 0.0018, 0.0006);  // sqrt(pi / 2) times that of two arms
  EXPECT_LT(speedup.launch_error, 0.001);
  EXPECT_EQ(speedup.margin, 0.025);
  EXPECT_LT(speedup.detectable_slowdown, 0.05);
  // The reference's ratio to itself says nothing; its time is there for --absolute.
  EXPECT_FALSE(made.cells[1].metrics.contains("speedup"));
  EXPECT_TRUE(made.cells[1].metrics.contains("time_us"));
}

TEST(derive, gives_the_same_bytes_again_also_of_what_was_written_and_read) {
  const temporary_folder folder;
  auto launches = launches_of();
  const std::string once = baseline_text(derive(launches, default_margins()));
  for (std::size_t at = 0; at < launches.size(); ++at) {
    const auto file = folder / (std::to_string(at) + ".json");
    write_report(launches[at].of.report, file);
    launches[at].of.report = read_report(file);
  }
  EXPECT_EQ(baseline_text(derive(launches, default_margins())), once);
  write_baseline(derive(launches, default_margins()), folder / "baseline.json");
  EXPECT_EQ(baseline_text(read_baseline(folder / "baseline.json")), once);
}

TEST(derive, widens_margins_by_noise_and_declares_others) {
  margins declared = default_margins();
  declared["speedup"] = 0.04;
  EXPECT_EQ(derive(launches_of(), declared).cells.front().metrics.at("speedup").margin, 0.04);
  const baseline noisy = small_baseline({.noise = 0.015});
  const expectation& speedup = noisy.cells.front().metrics.at("speedup");
  EXPECT_GT(speedup.margin, 0.025);
  EXPECT_GT(speedup.detectable_slowdown, 0.05);
  EXPECT_FALSE(is_too_noisy(speedup));
  EXPECT_TRUE(is_too_noisy(small_baseline({.noise = 0.05}).cells.front().metrics.at("speedup")));
}

TEST(derive, sees_what_launches_differ_by) {
  auto launches = launches_of();
  for (std::size_t at = 0; at < launches.size(); ++at) {
    small_launch each{.seed = at + 1};
    for (const char* arm : {"copy-engine", "push"}) {
      each.time_us[arm] *= 1 + 0.02 * static_cast<double>(at);
    }
    launches[at].of.report = small_report(each);
  }
  const expectation speedup =
      derive(launches, default_margins()).cells.front().metrics.at("speedup");
  EXPECT_NEAR(speedup.launch_error, 0.018, 0.004);
}

TEST(derive, refuses_launches_that_make_no_baseline) {
  const auto with = [](const std::function<void(report&)>& change) {
    auto launches = launches_of();
    change(launches[1].of.report);
    return refusal(launches);
  };
  auto two = launches_of();
  two.pop_back();
  EXPECT_THAT(refusal(two),
              HasSubstr("2 launches make no baseline: give the reports of at least 3"));
  auto twice = launches_of();
  twice[2].of.report = twice[0].of.report;
  EXPECT_THAT(refusal(twice), HasSubstr("is the same launch as"));
  EXPECT_THAT(with([](report& of) { of.machine.nccl = "2.32.3"; }),
              HasSubstr("out/launch-2/report.json can't be merged with out/launch-1/report.json"));
  EXPECT_THAT(with([](report& of) { of.run.complete = false; }),
              HasSubstr("out/launch-2/report.json makes no baseline: its run is not complete"));
  EXPECT_THAT(with([](report& of) { of.cells.pop_back(); }),
              HasSubstr("push isolated\" is missing"));
  EXPECT_THAT(with([](report& of) { arm_of(of, "push").refute("it ran a kernel"); }),
              HasSubstr("is refuted, and measured in"));
  EXPECT_THAT(with([](report& of) { arm_of(of, "push").counts.peer_copies = 7; }),
              HasSubstr("has peer_copies 7, and 6 in out/launch-1/report.json: it is no exact"));
  small_launch tilted;
  tilted.time_us["nccl-again"] = 220;
  EXPECT_THAT(refusal(launches_of(tilted)), HasSubstr("is the reference again, and 0.9"));
  // One alone widens what is expected of all.
  small_launch tilted_once{.seed = 2};
  tilted_once.time_us["nccl-again"] = 440;
  EXPECT_THAT(with([&](report& of) { of = small_report(tilted_once); }),
              HasSubstr("out/launch-2/report.json makes no baseline"));
  EXPECT_THAT(with([](report& of) { of = small_report({.seed = 2, .rounds = 1}); }),
              HasSubstr("has a single round that counts"));
}

// ---- the file ---------------------------------------------------------------------------------

class baseline_file : public testing::Test {
 protected:
  std::string refusal_of(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return refusal([&] { read_baseline(path_); });
  }
  std::string refusal_with(const char* at, const json& value) {
    json changed = to_json(small_baseline());
    changed[json::json_pointer(at)] = value;
    return refusal_of(changed.dump());
  }

  temporary_folder folder_;
  std::filesystem::path path_ = folder_ / "baseline.json";
};

TEST_F(baseline_file, is_refused_with_file_and_place) {
  const std::string file = path_.string();
  EXPECT_EQ(refusal([&] { read_baseline(path_); }), file + ": there is no such file");
  EXPECT_EQ(refusal_of("").find(file + " is empty"), 0u);
  const std::string whole = baseline_text(small_baseline());
  for (std::size_t length = 1; length + 2 < whole.size(); length += 313) {
    EXPECT_EQ(refusal_of(whole.substr(0, length)).find(file + " is truncated"), 0u) << length;
  }
  EXPECT_THAT(refusal_of("{\"baseline_version\": 1e999}"), HasSubstr("no double can hold"));
  EXPECT_THAT(refusal_of("{\"baseline_version\": NaN}"), HasSubstr("is no JSON"));
  EXPECT_EQ(refusal_of(to_json(small_report()).dump()),
            file + " is no baseline: it lacks the field \"baseline_version\"");
  EXPECT_THAT(refusal_with("/baseline_version", 0), HasSubstr("is 0, and this program reads 1"));
  EXPECT_THAT(refusal_with("/baseline_version", 2), HasSubstr("is 2, and this program reads 1"));
  EXPECT_THAT(refusal_with("/more", 1), HasSubstr("has a foreign field \"more\""));
  EXPECT_THAT(refusal_with("/cells/0/arm", "push"), HasSubstr("cells[3] repeats the cell"));
  EXPECT_THAT(refusal_with("/cells/0/device", "host"), HasSubstr("cells[0] is of the device host"));
  EXPECT_THAT(refusal_with("/launches/1/content", "content-1"),
              HasSubstr("launches[1] is there twice"));
  EXPECT_THAT(refusal_with("/cells", json::array()), HasSubstr("cells is empty"));
  EXPECT_THAT(refusal_with("/cells/0/metrics/speedup/rounds", 1), HasSubstr("is less than 2"));
  EXPECT_THAT(refusal_with("/cells/0/metrics/speedup/margin", 0),
              HasSubstr("cells[0].metrics.speedup.margin is not positive"));
  EXPECT_THAT(refusal_with("/cells/0/metrics/speedup/round_error", -1), HasSubstr("is negative"));
  EXPECT_THAT(refusal_with("/cells/0/metrics/speedup/launches", json::array({2.0})),
              HasSubstr("has fewer than 3"));
  const json metric = to_json(small_baseline())["cells"][0]["metrics"]["speedup"];
  EXPECT_THAT(refusal_with("/cells/0/metrics/speed_up", metric),
              HasSubstr("did you mean 'speedup'?"));
  EXPECT_THAT(refusal_with("/cells/0/status", "skipped"),
              HasSubstr("cells[0] is skipped but has counts"));
}

TEST(content_id, tells_bytes_apart) {
  EXPECT_EQ(content_id("a"), content_id("a"));
  EXPECT_NE(content_id("a"), content_id("b"));
}

}  // namespace
}  // namespace ithaca::reports::gate
