#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>

#include "traces/chrome_lint.hpp"
#include "traces/chrome_trace.hpp"
#include "traces/enqueued_operation.hpp"
#include "traces/lanes.hpp"
#include "traces/slice_name.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::traces {
namespace {

using nlohmann::json;

timeline_record slice(int rank, std::string row, std::string name, std::int64_t start_ns,
                      std::int64_t end_ns) {
  timeline_record record;
  record.rank = rank;
  record.row = std::move(row);
  record.kind = record_kind::kernel;
  record.name = std::move(name);
  record.start_ns = start_ns;
  record.end_ns = end_ns;
  return record;
}

std::string written(const std::vector<timeline_record>& records, const json& metadata) {
  std::ostringstream out;
  write_chrome_trace(out, records, metadata);
  return out.str();
}

/// Every trace that a test writes is linted.
json trace(const std::vector<timeline_record>& records, const json& metadata = json::object()) {
  const std::string text = written(records, metadata);
  EXPECT_THAT(lint(text).messages, testing::IsEmpty());
  return json::parse(text);
}

std::vector<json> events(const json& whole, std::string_view phase) {
  std::vector<json> found;
  for (const json& event : whole.at("traceEvents")) {
    if (event.at("ph") == phase) found.push_back(event);
  }
  return found;
}

json named(const json& whole, std::string_view name) {
  for (const json& event : whole.at("traceEvents")) {
    if (event.at("name") == name) return event;
  }
  ADD_FAILURE() << "no event " << name;
  return {};
}

std::map<int, std::string> thread_names(const json& whole, int rank) {
  std::map<int, std::string> names;
  for (const json& event : events(whole, "M")) {
    if (event["name"] == "thread_name" && event["pid"] == rank) {
      names[event["tid"]] = event["args"]["name"];
    }
  }
  return names;
}

enqueued_operation copy_operation(std::uint64_t id, int peer, std::int64_t at) {
  return {id, enqueued_kind::copy, "copy_2d", "copy", "v", peer, 4, 3000, "cell", at, at + 50};
}

TEST(chrome_trace, writes_microseconds_from_integer_nanoseconds_relative_to_the_earliest) {
  // A double holds no nanosecond at this magnitude.
  const std::int64_t base = 9'223'372'036'000'000'001;
  const std::string text = written({slice(0, "s", "late", base + 1'000'007, base + 2'000'008),
                                    slice(0, "s", "early", base, base + 1)},
                                   json::object());
  EXPECT_THAT(text, testing::HasSubstr(R"("ts":1000.007,"dur":1000.001)"));
  EXPECT_THAT(text, testing::HasSubstr(R"("ts":0.000,"dur":0.001)"));
  EXPECT_EQ(json::parse(text)["otherData"]["base_ns"].get<std::int64_t>(), base);
}

TEST(chrome_trace, names_ranks_and_rows_the_host_first) {
  const json whole = trace({slice(10, "copy", "a", 0, 1), slice(2, "copy", "b", 0, 1),
                            slice(2, "host", "c", 0, 1), slice(2, "attention", "d", 0, 1)});
  EXPECT_EQ(thread_names(whole, 2),
            (std::map<int, std::string>{{1, "host"}, {2, "attention"}, {3, "copy"}}));
  EXPECT_EQ(thread_names(whole, 10), (std::map<int, std::string>{{4, "copy"}}));
  std::map<int, std::string> processes;
  std::map<int, int> sort_indices;
  for (const json& event : events(whole, "M")) {
    if (event["name"] == "process_name") processes[event["pid"]] = event["args"]["name"];
    if (event["name"] == "process_sort_index") {
      sort_indices[event["pid"]] = event["args"]["sort_index"];
    }
  }
  EXPECT_EQ(processes, (std::map<int, std::string>{{2, "rank 2"}, {10, "rank 10"}}));
  EXPECT_EQ(sort_indices, (std::map<int, int>{{2, 2}, {10, 10}}));
  EXPECT_EQ(named(whole, "d")["tid"], 2);
}

TEST(chrome_trace, gives_slices_that_overlap_partly_a_lane_each) {
  const json whole = trace({slice(0, "copy", "a", 0, 100), slice(0, "copy", "inside a", 10, 100),
                            slice(0, "copy", "b", 50, 150), slice(0, "copy", "after a", 100, 120),
                            slice(0, "copy", "c", 60, 160), slice(0, "other", "d", 0, 10)});
  EXPECT_EQ(
      thread_names(whole, 0),
      (std::map<int, std::string>{{1, "copy"}, {2, "copy (2)"}, {3, "copy (3)"}, {4, "other"}}));
  EXPECT_EQ(named(whole, "a")["tid"], 1);
  EXPECT_EQ(named(whole, "inside a")["tid"], 1);
  EXPECT_EQ(named(whole, "b")["tid"], 2);
  EXPECT_EQ(named(whole, "c")["tid"], 3);
  EXPECT_EQ(named(whole, "after a")["tid"], 1);
}

TEST(lanes, reuse_a_lane_as_soon_as_it_is_free) {
  lanes row;
  EXPECT_EQ(row.place(0, 100), 0u);
  EXPECT_EQ(row.place(0, 50), 0u);
  EXPECT_EQ(row.place(40, 60), 1u) << "crosses the end of the inner slice";
  EXPECT_EQ(row.place(50, 100), 0u);
  EXPECT_EQ(row.place(60, 200), 1u);
  EXPECT_EQ(row.count(), 2u);
}

TEST(chrome_trace, leads_from_the_submit_to_the_first_work_of_an_operation) {
  const auto op = copy_operation(5, 1, 100);
  auto later = executed_record(op, 0, 900, 1000, record_engine::copy_engine);
  later.row = "another";
  const json whole = trace({submit_record(op, 0), later, executed_record(op, 0, 500, 600, {}),
                            executed_record(op, 0, 700, 800, {})});
  ASSERT_EQ(events(whole, "s").size(), 1u);
  ASSERT_EQ(events(whole, "f").size(), 1u);
  const json start = events(whole, "s")[0];
  const json end = events(whole, "f")[0];
  EXPECT_EQ(start["id"], end["id"]);
  EXPECT_EQ(start["name"], end["name"]);
  EXPECT_EQ(start["cat"], end["cat"]);
  EXPECT_EQ(start["ts"], 0.0);
  EXPECT_EQ(end["ts"], 0.4);
  EXPECT_EQ(end["bp"], "e");
  EXPECT_EQ(thread_names(whole, 0)[start["tid"]], "host");
  EXPECT_EQ(thread_names(whole, 0)[end["tid"]], "copy");
}

TEST(chrome_trace, writes_an_arrows_end_right_behind_its_slice) {
  const auto op = copy_operation(5, 1, 100);
  auto inner = executed_record(op, 0, 500, 550, record_engine::copy_engine);
  inner.operation = 0;
  inner.name = "inner";
  const json whole = trace(
      {submit_record(op, 0), inner, executed_record(op, 0, 500, 600, record_engine::copy_engine)});
  // The importer takes the slice that was opened last, so the inner one must come later.
  std::string order;
  for (const json& event : whole["traceEvents"]) order += event["ph"].get<std::string>();
  EXPECT_THAT(order, testing::HasSubstr("XsXfX"));
}

TEST(chrome_trace, keeps_the_arrows_of_equal_operations_of_two_ranks_apart) {
  std::vector<timeline_record> records;
  const std::uint64_t last_operation = (std::uint64_t{1} << 36) - 1;
  for (const int rank : {0, 1, 131'071}) {
    for (const std::uint64_t id : {std::uint64_t{1}, std::uint64_t{2}, last_operation}) {
      const auto op = copy_operation(id, 5, static_cast<std::int64_t>(id % 1000) * 1000);
      records.push_back(submit_record(op, rank));
      records.push_back(executed_record(op, rank, op.enqueue_end_ns, op.enqueue_end_ns + 10, {}));
    }
  }
  const json whole = trace(records);
  std::set<std::uint64_t> ids;
  for (const json& start : events(whole, "s")) ids.insert(start["id"].get<std::uint64_t>());
  EXPECT_EQ(ids.size(), 9u);
  EXPECT_LT(*ids.rbegin(), std::uint64_t{1} << 53) << "JavaScript must keep them apart, too";
  EXPECT_EQ(events(whole, "f").size(), 9u);
}

TEST(chrome_trace, draws_no_arrow_back_in_time_or_to_nothing) {
  const auto early = copy_operation(5, 1, 100);
  const auto lost = copy_operation(6, 1, 200);
  const json whole = trace(
      {submit_record(early, 0), executed_record(early, 0, 90, 95, {}), submit_record(lost, 0)});
  EXPECT_TRUE(events(whole, "s").empty());
  EXPECT_TRUE(events(whole, "f").empty());
}

TEST(chrome_trace, marks_what_was_only_enqueued) {
  enqueued_operation op = copy_operation(5, 1, 100);
  op.kind = enqueued_kind::signal_write;
  const json whole = trace({submit_record(op, 0), enqueued_only_record(op, 0)});
  ASSERT_EQ(events(whole, "i").size(), 1u);
  const json instant = events(whole, "i")[0];
  EXPECT_EQ(instant["name"], "signal v -> rank 1");
  EXPECT_EQ(instant["s"], "t");
  EXPECT_EQ(instant["args"]["enqueued"], true);
  EXPECT_EQ(instant["ts"], 0.05);
  EXPECT_FALSE(instant.contains("dur"));
  EXPECT_TRUE(events(whole, "s").empty());
}

TEST(chrome_trace, says_of_a_copy_what_is_known) {
  const auto op = copy_operation(5, 2, 0);
  const json whole = trace({executed_record(op, 0, 100, 1100, record_engine::copy_engine)});
  const json copy = named(whole, "v -> rank 2");
  EXPECT_EQ(copy["cat"], "peer_copy");
  EXPECT_EQ(copy["args"], json::parse(R"({"tag": "v", "peer": 2, "bytes": 3000, "GB/s": 3.0,
      "engine": "copy_engine", "exchange": 4, "scope": "cell"})"));
  EXPECT_FALSE(named(trace({slice(0, "s", "bare", 0, 1)}), "bare").contains("args"));
}

TEST(slice_name, says_what_and_where_to) {
  timeline_record record;
  const auto name = [&record](record_kind kind, int peer) {
    record.kind = kind;
    record.peer = peer;
    return slice_name(record);
  };
  record.rank = 1;
  record.name = "copy_2d";
  record.tag = "k";
  EXPECT_EQ(name(record_kind::peer_copy, 3), "k -> rank 3");
  EXPECT_EQ(name(record_kind::local_copy, 1), "k own chunk");
  EXPECT_EQ(name(record_kind::local_copy, -1), "k copy_2d");
  EXPECT_EQ(name(record_kind::signal_write, 0), "signal k -> rank 0");
  EXPECT_EQ(name(record_kind::signal_wait, 0), "wait k <- rank 0");
  EXPECT_EQ(name(record_kind::submit, 3), "submit copy_2d k -> rank 3");
  EXPECT_EQ(name(record_kind::kernel, 3), "copy_2d");
  record.tag.clear();
  EXPECT_EQ(name(record_kind::peer_copy, 3), "copy_2d -> rank 3");
  record.name.clear();
  EXPECT_EQ(name(record_kind::range, -1), "range");
}

TEST(chrome_trace, carries_the_callers_metadata) {
  const json whole = trace({}, {{"device", "host"}, {"simulated", false}});
  EXPECT_EQ(whole["otherData"],
            json::parse(R"({"device": "host", "simulated": false, "base_ns": 0})"));
  EXPECT_TRUE(whole["traceEvents"].empty());
}

TEST(chrome_trace, escapes_text) {
  const std::string odd = "a\"b\\c\n\x01 \xc3\xa9";
  timeline_record record = slice(0, odd + "row", odd, 0, 1);
  record.scope = odd;
  const json whole = trace({record});
  EXPECT_EQ(named(whole, odd)["args"]["scope"], odd);
  EXPECT_EQ(thread_names(whole, 0)[1], odd + "row");
  record.name = "broken \xff utf-8";
  EXPECT_NO_THROW(trace({record}));
}

TEST(chrome_trace, refuses_what_it_cannot_draw) {
  EXPECT_THROW(written({slice(-1, "s", "a", 0, 1)}, json::object()), std::invalid_argument);
  EXPECT_THROW(written({slice(131'072, "s", "a", 0, 1)}, json::object()), std::invalid_argument);
  EXPECT_THROW(written({slice(0, "s", "a", 1, 0)}, json::object()), std::invalid_argument);
  timeline_record record = slice(0, "s", "a", 0, 1);
  record.operation = std::uint64_t{1} << 36;
  EXPECT_THROW(written({record}, json::object()), std::invalid_argument);
  EXPECT_THROW(written({}, json::array()), std::invalid_argument);
  std::ostringstream broken;
  broken.setstate(std::ios::badbit);
  EXPECT_THROW(write_chrome_trace(broken, {}, json::object()), std::runtime_error);
}

TEST(chrome_trace, is_clean_and_complete_for_random_records) {
  std::mt19937_64 random(7);
  const auto draw = [&random](std::int64_t below) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
  };
  std::vector<timeline_record> records;
  for (std::uint64_t id = 1; id <= 2000; ++id) {
    auto op = copy_operation(id, static_cast<int>(draw(4)), 1'000'000 + draw(2000));
    op.stream = draw(2) ? "copy" : "compute";
    op.kind = static_cast<enqueued_kind>(draw(4));
    const int rank = static_cast<int>(draw(4));
    records.push_back(submit_record(op, rank));
    const std::int64_t start = op.enqueue_start_ns + draw(500) - 50;
    if (draw(4) == 0)
      records.push_back(enqueued_only_record(op, rank));
    else
      records.push_back(executed_record(op, rank, start, start + draw(60), record_engine::sm));
  }
  const json whole = trace(records);
  EXPECT_EQ(events(whole, "X").size() + events(whole, "i").size(), records.size());
  EXPECT_GT(events(whole, "f").size(), 500u);
}

class chrome_trace_file : public testing::Test {
 protected:
  std::size_t file_count() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }
  temporary_folder folder_;
};

TEST_F(chrome_trace_file, replaces_the_file_and_leaves_no_other) {
  const auto path = folder_ / "trace.json";
  std::ofstream(path) << "old";
  write_chrome_trace(path, std::vector{slice(0, "s", "new", 0, 1)}, json::object());
  std::ifstream in(path);
  EXPECT_EQ(json::parse(in)["traceEvents"].back()["name"], "new");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(chrome_trace_file, keeps_the_old_file_when_the_records_are_bad) {
  const auto path = folder_ / "trace.json";
  std::ofstream(path) << "old";
  EXPECT_THROW(write_chrome_trace(path, std::vector{slice(0, "s", "a", 1, 0)}, json::object()),
               std::invalid_argument);
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "old");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(chrome_trace_file, says_which_file_and_why) {
  const auto expect_message = [](const std::filesystem::path& path, const char* why) {
    try {
      write_chrome_trace(path, {}, json::object());
      ADD_FAILURE() << "written: " << path;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(),
                  testing::AllOf(testing::HasSubstr(path.string()), testing::HasSubstr(why)));
    }
  };
  expect_message(folder_ / "nowhere" / "trace.json", "No such file");
  std::filesystem::create_directory(folder_ / "taken");
  expect_message(folder_ / "taken", "directory");
  EXPECT_EQ(file_count(), 1u) << "the temporary file stays behind";
}

TEST(chrome_trace, says_that_the_disk_is_full) {
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "no /dev/full here";
  std::vector<timeline_record> many(20'000, slice(0, "s", "a", 0, 1));
  EXPECT_THROW(write_chrome_trace(full, many, json::object()), std::runtime_error);
}

}  // namespace
}  // namespace ithaca::traces
