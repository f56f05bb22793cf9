#include "reports/report.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "validation/unit/reports_example.hpp"

namespace ithaca::reports {
namespace {

std::string refusal(const json& from) {
  try {
    report_from_json(from);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

/// The refusal of the example after `change`.
std::string refusal_after(const std::function<void(json&)>& change) {
  json changed = to_json(example_report());
  change(changed);
  return refusal(changed);
}

TEST(report, comes_back_from_its_text) {
  const report written = example_report();
  EXPECT_EQ(report_from_json(json::parse(to_json(written).dump())), written);
}

TEST(report, comes_back_with_nothing_optional) {
  report written = example_report();
  written.machine = {.device = "host", .gpus = {}, .cpu_model = "", .cpu_cores = 2};
  written.run.reference_arm.reset();
  written.run.noise_floor_arm.reset();
  written.run.note = note_on_times("host");
  written.links = {};
  written.kernels.clear();
  written.cells.clear();
  EXPECT_EQ(report_from_json(json::parse(to_json(written).dump())), written);
}

TEST(report, keeps_a_column_without_a_reading_as_null) {
  report written = example_report();
  written.telemetry.scenarios[0].sm_mhz = {{std::nullopt, std::nullopt}};
  const json scenario = to_json(written)["telemetry"]["scenarios"][0];
  EXPECT_TRUE(scenario["sm_mhz"].is_null());
  EXPECT_TRUE(scenario["power_mw"].is_null());
  EXPECT_EQ(scenario["nvlink_sent_bytes"].dump(), "[[1048576,2097152],[1048576,3298534883328]]");
}

TEST(report, names_the_place_of_every_missing_field) {
  // Every field of every object, but for the one that may be absent and the keys of maps.
  const json whole = to_json(example_report());
  int removed = 0;
  const std::function<void(const json::json_pointer&)> visit = [&](const json::json_pointer& at) {
    const json& value = whole.at(at);
    const std::string name = at.empty() ? "" : at.back();
    const bool is_map = name == "environment" || name == "kernels" || name == "metrics" ||
                        name == "tags" || name == "beside_ns";
    const auto is_optional = [&](const std::string& field) {
      return field == "ci95" || field == "host" || field == "overlap" ||
             field == "compute_slowdown" || field == "communication_slowdown" ||
             field == "ideal_share" || field == "discarded_rounds" || field == "throttling_note" ||
             field == "sm_drift_mhz" || (at.empty() && field == "kernels");
    };
    if (value.is_array()) {
      for (std::size_t index = 0; index < value.size(); ++index) visit(at / index);
    }
    if (!value.is_object()) return;
    for (const auto& [field, unused] : value.items()) {
      visit(at / field);
      if (is_map || is_optional(field)) continue;
      json changed = whole;
      changed.at(at).erase(field);
      const std::string said = refusal(changed);
      EXPECT_NE(said.find("lacks the field \"" + field + "\""), std::string::npos)
          << (at / field).to_string() << ": " << said;
      ++removed;
    }
  };
  visit(json::json_pointer());
  EXPECT_GT(removed, 100);
}

TEST(report, says_where_a_field_is_missing_or_foreign) {
  EXPECT_EQ(refusal_after([](json& j) { j.erase("links"); }),
            "the report lacks the field \"links\"");
  EXPECT_EQ(refusal_after([](json& j) { j["machine"]["gpus"][1].erase("uuid"); }),
            "machine.gpus[1] lacks the field \"uuid\"");
  EXPECT_EQ(refusal_after([](json& j) { j["kernels"][1].erase("bytes"); }),
            "kernels[1] lacks the field \"bytes\"");
  EXPECT_EQ(refusal_after([](json& j) { j["kernels"][0]["us"] = 1; }),
            "kernels[0] has a foreign field \"us\"");
  EXPECT_EQ(refusal_after([](json& j) { j["hostname"] = "x"; }),
            "the report has a foreign field \"hostname\"");
  EXPECT_EQ(refusal_after([](json& j) { j["cells"][0]["counts"]["copies"] = 1; }),
            "cells[0].counts has a foreign field \"copies\"");
  EXPECT_EQ(refusal_after([](json& j) { j["cells"][1]["metrics"]["speedup"]["ci99"] = 1; }),
            "cells[1].metrics.speedup has a foreign field \"ci99\"");
}

TEST(report, says_where_a_value_is_of_another_type) {
  EXPECT_EQ(refusal_after([](json& j) { j["cells"][0]["metrics"]["time_us"]["value"] = nullptr; }),
            "cells[0].metrics.time_us.value is null where a number belongs");
  EXPECT_EQ(refusal_after([](json& j) { j["cells"][0]["samples_ns"][0][1][0] = 1.5; }),
            "cells[0].samples_ns[0][1][0] is number where a whole number belongs");
  EXPECT_EQ(refusal_after([](json& j) { j["cells"][0]["samples_ns"][0][1][0] = -3; }),
            "cells[0].samples_ns has a sample of -3 ns");
  EXPECT_EQ(refusal_after([](json& j) { j["cells"][0]["samples_ns"][0] = json::array(); }),
            "cells[0].samples_ns has a launch without rounds");
  EXPECT_EQ(refusal_after([](json& j) { j["telemetry"]["scenarios"][0]["sm_mhz"][1][0] = "1"; }),
            "telemetry.scenarios[0].sm_mhz[1] is string where a whole number belongs");
  EXPECT_EQ(refusal_after([](json& j) { j["machine"]["gpus"][0]["numa_node"] = -1; }),
            "machine.gpus[0].numa_node is negative where a count belongs");
  EXPECT_EQ(refusal_after([](json& j) { j["run"]["seed"] = -1; }),
            "run.seed is negative where a count belongs");
  EXPECT_EQ(refusal_after([](json& j) { j["run"]["complete"] = "yes"; }),
            "run.complete is string where true or false belongs");
  EXPECT_EQ(refusal_after([](json& j) { j["run"]["ranks"] = 5'000'000'000; }),
            "run.ranks is too large");
  EXPECT_EQ(refusal_after([](json& j) { j["cells"] = json::object(); }),
            "cells is object where an array belongs");
  EXPECT_EQ(refusal_after([](json& j) { j["kernels"] = json::object(); }),
            "kernels is object where an array belongs");
  EXPECT_EQ(refusal_after([](json& j) { j["kernels"][0]["kernel"] = 1; }),
            "kernels[0].kernel is number where a text belongs");
  EXPECT_EQ(refusal(json::array()), "the report is array where an object belongs");
}

TEST(report, says_where_a_value_is_impossible) {
  EXPECT_EQ(refusal_after([](json& j) { j["schema_version"] = 1; }),
            "schema_version is 1, and this program reads 2: read the report with the program that "
            "wrote it, or measure again with this one");
  EXPECT_EQ(refusal_after([](json& j) { j["cells"][0]["mode"] = "both"; }),
            "cells[0].mode is \"both\" where one of isolated, pipelined, compute-only, "
            "communication-only, exchange-beside belongs");
  EXPECT_EQ(
      refusal_after([](json& j) { j["cells"][0]["status"] = "good"; }),
      "cells[0].status is \"good\" where one of measured, skipped, refuted, incomplete belongs");
  EXPECT_EQ(refusal_after([](json& j) { j["run"]["started_at"] = "2026-08-06 09:30"; }),
            "run.started_at is no time in UTC such as 2026-08-06T09:30:00Z");
  EXPECT_EQ(refusal_after([](json& j) { j["links"]["ceilings"][0]["ceiling_gbps"] = 0; }),
            "links.ceilings[0].ceiling_gbps is not positive");
  EXPECT_EQ(refusal_after([](json& j) {
              j["telemetry"]["scenarios"][0]["throttled"][0]["reasons"] = json::array();
            }),
            "telemetry.scenarios[0].throttled[0].reasons is empty");
  EXPECT_EQ(refusal_after([](json& j) { j["machine"]["ranks"][0]["numa_nodes"] = {4294967295}; }),
            "machine.ranks[0].numa_nodes is too large");
  EXPECT_EQ(refusal_after([](json& j) { j["links"]["handshake_us"] = -1; }),
            "links.handshake_us is not positive");
  EXPECT_EQ(refusal_after([](json& j) {
              j["cells"][0]["metrics"]["time_us"]["ci95"] = {2, 1};
            }),
            "cells[0].metrics.time_us.ci95 ends before it begins");
  EXPECT_EQ(refusal_after([](json& j) { j["cells"][0]["metrics"]["time_us"]["ci95"] = {1}; }),
            "cells[0].metrics.time_us.ci95 is no pair [low, high]");
}

TEST(report, says_what_is_no_rate_of_a_kernel) {
  for (const char* field : {"bytes", "gbps", "copy_share"}) {
    EXPECT_EQ(refusal_after([&](json& j) { j["kernels"][1][field] = 0; }),
              std::string("kernels[1].") + field + " is not positive");
  }
  EXPECT_EQ(refusal_after([](json& j) { j["kernels"][1]["kernel"] = "copy"; }),
            "kernels[1] repeats the kernel \"copy\"");
  EXPECT_EQ(refusal_after([](json& j) { j["kernels"] = json::array(); }), "kernels is empty");
  report unmeasured = example_report();
  unmeasured.kernels.clear();
  EXPECT_FALSE(to_json(unmeasured).contains("kernels"));
}

TEST(report, refuses_two_cells_with_one_key) {
  EXPECT_EQ(refusal_after([](json& j) { j["cells"].push_back(j["cells"][3]); }),
            "cells[6] repeats the cell \"scatter cuda flux.1-dev-1024 bf16 U2 exchange mpi "
            "isolated\"");
}

TEST(report, refuses_a_cell_of_another_device) {
  EXPECT_EQ(refusal_after([](json& j) { j["cells"][0]["device"] = "host"; }),
            "cells[0] is of the device host in a report of cuda");
}

TEST(report, keeps_the_fabric_of_a_simulation_and_reads_reports_without) {
  report simulated = example_report();
  simulated.machine.fabric = "h200-nv18";
  EXPECT_EQ(report_from_json(to_json(simulated)).machine.fabric, "h200-nv18");
  json old = to_json(simulated);
  old["machine"].erase("fabric");
  EXPECT_EQ(report_from_json(old).machine.fabric, std::nullopt);
}

TEST(report, demands_a_note_where_times_say_nothing_about_gpus) {
  report host = example_report();
  host.cells.clear();
  host.machine.device = "host";
  EXPECT_THROW(to_json(host), std::invalid_argument);
  host.run.note = note_on_times("host");
  EXPECT_EQ(*host.run.note, "Measured on the host device: the times say nothing about GPUs.");
  EXPECT_NO_THROW(to_json(host));
  EXPECT_FALSE(note_on_times("cuda"));
  EXPECT_EQ(*note_on_times("sim"),
            "Simulated: every time and rate here is a model's, none was measured.");
}

TEST(cell, keeps_no_number_under_a_refuted_name) {
  cell refuted = example_report().cells[0];
  refuted.refute("why");
  EXPECT_TRUE(refuted.metrics.empty());
  EXPECT_TRUE(refuted.samples.empty());
  EXPECT_FALSE(refuted.overlap);
  EXPECT_EQ(refuted.counts, example_report().cells[0].counts);
  EXPECT_EQ(refuted.reason, "why");
  refuted.metrics = example_report().cells[0].metrics;
  EXPECT_THROW(to_json(refuted), std::invalid_argument);
}

TEST(cell, has_what_its_status_says) {
  const auto said = [](std::size_t at, const char* field, const json& value) {
    return refusal_after([&](json& j) { j["cells"][at][field] = value; });
  };
  const json metrics = to_json(example_report())["cells"][0]["metrics"];
  const json samples = {{{1, 2}}};
  EXPECT_EQ(said(0, "reason", "x"), "cells[0] is measured but has a reason");
  EXPECT_EQ(said(0, "metrics", json::object()), "cells[0] is measured but has no metrics");
  EXPECT_EQ(said(0, "samples_ns", json::array()), "cells[0] is measured but has no samples");
  EXPECT_EQ(refusal_after([](json& j) { j["cells"][0]["checked"]["mismatched_bytes"] = 1; }),
            "cells[0] is measured but has mismatched bytes");
  EXPECT_EQ(said(3, "reason", nullptr), "cells[3] is skipped but has no reason");
  EXPECT_EQ(said(3, "samples_ns", samples), "cells[3] is skipped but has samples");
  EXPECT_EQ(said(4, "metrics", metrics), "cells[4] is refuted but has metrics");
  EXPECT_EQ(said(4, "samples_ns", samples), "cells[4] is refuted but has samples");
  const json overlap = to_json(example_report())["cells"][0]["overlap"];
  EXPECT_EQ(said(3, "overlap", overlap), "cells[3] is skipped but says what overlapped");
  EXPECT_EQ(said(4, "overlap", overlap), "cells[4] is refuted but says what overlapped");
  EXPECT_EQ(said(5, "overlap", overlap), "accepted");
  EXPECT_EQ(said(5, "metrics", metrics), "cells[5] is incomplete but has metrics");
}

TEST(metric, is_never_written_when_json_can_not_hold_it) {
  EXPECT_THROW(to_json(metric{std::numeric_limits<double>::infinity(), "us"}),
               std::invalid_argument);
  EXPECT_THROW(to_json(metric{1, "us", interval{0, std::numeric_limits<double>::quiet_NaN()}}),
               std::invalid_argument);
}

TEST(cell_key, is_of_the_same_scenario_but_for_the_arm) {
  const cell_key key = example_report().cells[0].key;
  cell_key other = key;
  other.arm = "another";
  EXPECT_TRUE(key.same_scenario(other));
  other.mode = "pipelined";
  EXPECT_FALSE(key.same_scenario(other));
}

TEST(run_record, writes_times_in_utc) {
  const auto time = std::chrono::sys_days{std::chrono::year{2026} / 8 / 6} + std::chrono::hours{9} +
                    std::chrono::minutes{5};
  EXPECT_EQ(utc_text(time), "2026-08-06T09:05:00Z");
  EXPECT_TRUE(is_utc_text(utc_text(time)));
  for (const char* wrong : {"", "2026-08-06T09:05:00", "2026-08-06T09:05:00Z ",
                            "2026-08-06T9:05:00Z", "2026-08-06T09:05:00+02:00"}) {
    EXPECT_FALSE(is_utc_text(wrong)) << wrong;
  }
}

TEST(links, give_the_slowest_pair) {
  EXPECT_EQ(slowest_gbps(example_report().links), 384.25);
  EXPECT_FALSE(slowest_gbps({}));
}

}  // namespace
}  // namespace ithaca::reports
