#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <vector>

#include "traces/chrome_lint.hpp"
#include "traces/chrome_trace.hpp"
#include "traces/enqueued_operation.hpp"
#include "traces/opened_trace.hpp"
#include "traces/overlap.hpp"
#include "traces/overlap_rows.hpp"
#include "traces/trace_diff.hpp"
#include "traces/trace_merge.hpp"
#include "traces/trace_summary.hpp"

namespace ithaca::traces {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string text_of(const std::vector<timeline_record>& records) {
  std::ostringstream out;
  write_chrome_trace(out, records, {{"command", "test"}});
  return out.str();
}

timeline_record record(int rank, const std::string& row, record_kind kind, const std::string& name,
                       std::int64_t start_ns, std::int64_t end_ns) {
  timeline_record made;
  made.rank = rank;
  made.row = row;
  made.kind = kind;
  made.name = name;
  made.start_ns = start_ns;
  made.end_ns = end_ns;
  made.scope = "shape arm";
  return made;
}

timeline_record copy(int rank, const std::string& tag, int peer, std::uint64_t exchange,
                     std::int64_t start_ns, std::int64_t end_ns) {
  timeline_record made =
      record(rank, "copy", peer == rank ? record_kind::local_copy : record_kind::peer_copy,
             "copy_2d", start_ns, end_ns);
  made.tag = tag;
  made.peer = peer;
  made.bytes = 1000;
  made.exchange = exchange;
  made.engine = record_engine::copy_engine;
  return made;
}

/// Two ranks with a copy to each other, one of them twice at once, an own chunk, and an instant.
std::vector<timeline_record> two_ranks() {
  const enqueued_operation op{7,    enqueued_kind::copy, "copy_2d", "copy", "v", 1, 3,
                              1000, "shape arm",         100,       150};
  std::vector<timeline_record> records = {submit_record(op, 0),
                                          executed_record(op, 0, 200, 300, record_engine::none)};
  records.push_back(copy(0, "q", 1, 3, 250, 400));
  records.push_back(copy(1, "v", 0, 3, 210, 260));
  records.push_back(copy(1, "v", 1, 3, 260, 270));
  timeline_record signal = record(1, "copy", record_kind::signal_write, "write_value", 300, 300);
  signal.enqueued_only = true;
  records.push_back(signal);
  return records;
}

std::string why_not_opened(const std::string& text) {
  try {
    open_trace(text);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(opened_trace, holds_what_was_written) {
  const opened_trace trace = open_trace(text_of(two_ranks()));
  ASSERT_EQ(trace.processes.size(), 2u);
  EXPECT_EQ(trace.processes[1].name, "rank 1");
  EXPECT_EQ(trace.slices.size(), 6u);
  EXPECT_EQ(trace.arrows, 1u);
  EXPECT_EQ(trace.other_data.at("command"), "test");
  std::vector<std::string> rows;
  for (const trace_slice& each : trace.slices) rows.push_back(trace.names[each.row]);
  EXPECT_THAT(rows, ElementsAre("host", "copy", "copy", "copy", "copy", "copy"))
      << "the second lane belongs to its row";
  const trace_slice& own = trace.slices[4];
  EXPECT_EQ(trace.names[own.kind], "local_copy");
  EXPECT_EQ(trace.names[own.tag], "v");
  EXPECT_EQ(trace.names[own.scope], "shape arm");
  EXPECT_EQ(trace.names[own.engine], "copy_engine");
  EXPECT_EQ(own.peer, 1);
  EXPECT_EQ(own.bytes, 1000u);
  EXPECT_EQ(own.exchange, 3u);
  EXPECT_EQ(own.end_ns - own.start_ns, 10);
}

TEST(opened_trace, names_processes_and_rows_wherever_their_names_stand) {
  const opened_trace trace = open_trace(
      R"x([{"ph":"X","name":"a","pid":3,"tid":9,"ts":1,"dur":1},
          {"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},
          {"ph":"M","name":"thread_name","pid":3,"tid":9,"args":{"name":"late (x)"
}
},
          {"ph":"M","name":"process_name","pid":3,"args":{"name":"p"}},
          {"ph":"M","name":"process_name","pid":4,"args":{"name":"p"}}])x");
  ASSERT_EQ(trace.processes.size(), 3u);
  EXPECT_EQ(trace.processes[0].name, "pid 1");
  EXPECT_EQ(trace.processes[1].name, "p");
  EXPECT_EQ(trace.processes[2].name, "p (pid 4)");
  EXPECT_EQ(trace.slices[0].process, 1u);
  EXPECT_EQ(trace.names[trace.slices[0].row], "late (x)");
  EXPECT_EQ(trace.names[trace.slices[1].row], "tid 1");
}

TEST(opened_trace, refuses_what_it_can_not_understand_with_its_place) {
  EXPECT_THAT(why_not_opened("{"), HasSubstr("no JSON"));
  EXPECT_THAT(why_not_opened(""), HasSubstr("no JSON"));
  EXPECT_THAT(why_not_opened("{\"cells\":[]}"), HasSubstr("traceEvents"));
  EXPECT_THAT(why_not_opened("[{\"ts\":NaN}]"), HasSubstr("line 1"));
  const auto event = [](const std::string& fields) {
    return why_not_opened("[{},{\"name\":\"a\"," + fields + "}]");
  };
  const auto slice = [&](const std::string& fields) {
    return why_not_opened("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":0,\"tid\":1,\"ts\":1,\"dur\":1," +
                          fields + "}]");
  };
  EXPECT_THAT(event(""), HasSubstr("event 0 (\"\") has the phase \"\""));
  EXPECT_EQ(slice("\"x\":1"), "");
  EXPECT_THAT(slice("\"ts\":-1"), HasSubstr("event 0 (\"a\") has a ts that is negative"));
  EXPECT_THAT(slice("\"dur\":\"long\""), HasSubstr("has a dur that is no plain decimal"));
  EXPECT_THAT(slice("\"pid\":\"x\""), HasSubstr("has the pid x"));
  EXPECT_THAT(slice("\"args\":{\"bytes\":-1}"), HasSubstr("bytes that are no count"));
  EXPECT_THAT(slice("\"args\":{\"peer\":4294967296}"), HasSubstr("a peer that is no rank"));
  EXPECT_EQ(slice("\"args\":[1]"), "") << "other programs write what they like";
  std::string deep = "\"args\":";
  for (int i = 0; i < 200; ++i) deep += "[";
  EXPECT_THAT(slice(deep), HasSubstr("more than 100 levels deep"));
}

TEST(trace_summary, tells_rows_copies_and_arrows) {
  const trace_summary made = summarize(open_trace(text_of(two_ranks())));
  ASSERT_EQ(made.processes.size(), 2u);
  EXPECT_EQ(made.slices, 5u);
  EXPECT_EQ(made.instants, 1u);
  EXPECT_EQ(made.arrows, 1u);
  EXPECT_EQ(made.length_ns, 300);
  const row_summary& row = made.processes[0].rows.at("copy");
  EXPECT_EQ(row.slices, 2u);
  EXPECT_EQ(row.total_ns, 250);
  EXPECT_EQ(row.busy_ns, 200) << "where two lanes are busy at once, the row is so once";
  EXPECT_EQ(made.processes[1].rows.at("copy").instants, 1u);
  EXPECT_EQ(made.processes[0].copies.at("peer_copy"), (copy_totals{1, 1000}));
  EXPECT_EQ(made.processes[0].copies.at("peer_copy, copy_engine"), (copy_totals{1, 1000}));
  EXPECT_EQ(made.processes[1].copies.at("local_copy, copy_engine"), (copy_totals{1, 1000}));
}

TEST(trace_summary, ends_sums_where_their_type_does) {
  std::string events = "[";
  for (int i = 0; i < 9; ++i) {
    events +=
        std::string(i ? "," : "") +
        R"({"ph":"X","cat":"peer_copy","name":"a","pid":0,"tid":1,"ts":0,"dur":2305843009213693,)"
        R"("args":{"bytes":18446744073709551615}})";
  }
  const trace_summary made = summarize(open_trace(events + "]"));
  EXPECT_EQ(made.processes[0].rows.at("tid 1").total_ns, INT64_MAX);
  EXPECT_EQ(made.processes[0].copies.at("peer_copy").bytes, UINT64_MAX);
}

/// Three runs of a stage on two ranks, of operations 1 to 3, with the rows that show them. Each
/// computes, copies from the end of that time on, and has a check behind it.
struct stage_trace {
  std::vector<timeline_record> records;
  std::vector<std::vector<stage_overlap>> runs;

  stage_trace() {
    const std::int64_t late_ns[3][2] = {{10, 30}, {80, 20}, {40, 45}};
    for (std::uint64_t run = 0; run < 3; ++run) {
      for (int rank = 0; rank < 2; ++rank) add(run, rank, late_ns[run][rank]);
      runs.emplace_back();
      for (int rank = 0; rank < 2; ++rank) {
        runs.back().push_back(overlap_of(records, {rank, run + 1, run + 1}).value());
      }
    }
    std::vector<timeline_record> rows;
    for (const auto& run : runs) {
      for (const stage_overlap& each : run) {
        const auto more = overlap_rows(each, "shape arm");
        rows.insert(rows.end(), more.begin(), more.end());
      }
    }
    records.insert(records.end(), rows.begin(), rows.end());
  }

  void add(std::uint64_t run, int rank, std::int64_t late_ns) {
    const std::int64_t begin = static_cast<std::int64_t>(run) * 10'000;
    const auto put = [&](timeline_record made) {
      made.operation = run + 1;
      records.push_back(made);
    };
    put(record(rank, "compute", record_kind::kernel, "matmul", begin, begin + 100));
    put(record(rank, "compute", record_kind::kernel, "norm", begin + 130, begin + 200 - 10 * rank));
    put(copy(rank, "v", 1 - rank, run + 1, begin + 90, begin + 150));
    put(copy(rank, "q", 1 - rank, run + 1, begin + 150, begin + 200 + late_ns));
    put(copy(rank, "v", rank, run + 1, begin + 95, begin + 120));
    timeline_record flag = copy(rank, "v", 1 - rank, run + 1, begin + 100, begin + 200);
    flag.bytes = 8;
    put(flag);
    timeline_record own =
        record(rank, "compute", record_kind::kernel, "push_kernel", begin + 210, begin + 215);
    own.peer = rank;
    own.exchange = run + 1;
    put(own);
    // Begins within the stage, and is none of it.
    timeline_record later = copy(rank, "v", 1 - rank, 99, begin + 205, begin + 4'000);
    later.operation = 200 + run;
    records.push_back(later);
    timeline_record check =
        record(rank, "compute", record_kind::kernel, "check_kernel", begin + 5'000, begin + 6'000);
    check.operation = 100 + run;
    records.push_back(check);
  }
};

TEST(trace_summary, finds_the_overlap_that_was_worked_out_from_the_records) {
  const stage_trace made;
  const trace_summary summary = summarize(open_trace(text_of(made.records)));
  ASSERT_EQ(summary.overlaps.size(), 1u);
  const scope_overlap& found = summary.overlaps[0];
  EXPECT_EQ(found.scope, "shape arm");
  ASSERT_EQ(found.runs.size(), 3u);
  std::vector<stage_overlap> worst;
  for (std::size_t run = 0; run < 3; ++run) {
    ASSERT_EQ(found.runs[run].size(), 2u);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      const stage_overlap& seen = found.runs[run][rank];
      const stage_overlap& expected = made.runs[run][rank];
      EXPECT_EQ(seen.stage, expected.stage);
      EXPECT_EQ(seen.computation, expected.computation);
      EXPECT_EQ(seen.to_peers, expected.to_peers);
      EXPECT_EQ(seen.within_rank, expected.within_rank);
      EXPECT_EQ(seen.hidden(), expected.hidden());
      EXPECT_EQ(seen.exposed(), expected.exposed());
      ASSERT_EQ(seen.tags.size(), 2u);
      EXPECT_EQ(seen.tags.at("q").windows, expected.tags.at("q").windows);
    }
    worst.push_back(most_exposed(made.runs[run]));
  }
  EXPECT_EQ(found.told().rank, median_run(worst).rank);
  EXPECT_EQ(found.told().stage, median_run(worst).stage);
  EXPECT_EQ(found.told().rank, 1) << "it computes for less time";
  EXPECT_EQ(found.told().stage.start_ns, 20'000) << "the third run is the one in the middle";
}

std::vector<operation_pair> different(const std::vector<timeline_record>& before,
                                      const std::vector<timeline_record>& after) {
  auto pairs = diff_traces(open_trace(text_of(before)), open_trace(text_of(after)));
  std::erase_if(pairs, [](const operation_pair& each) { return each.same_work(); });
  return pairs;
}

TEST(trace_diff, tells_durations_and_judges_none) {
  std::vector<timeline_record> slower = two_ranks();
  slower[2].end_ns += 1000;
  EXPECT_THAT(different(two_ranks(), slower), IsEmpty());
  const auto pairs = diff_traces(open_trace(text_of(two_ranks())), open_trace(text_of(slower)));
  const auto found = std::ranges::find_if(
      pairs, [](const operation_pair& each) { return each.name.name == "q -> rank 1"; });
  ASSERT_NE(found, pairs.end());
  EXPECT_EQ(found->name.process, "rank 0");
  EXPECT_EQ(found->before->median_ns, 150);
  EXPECT_EQ(found->after->median_ns, 1150);
  EXPECT_DOUBLE_EQ(found->before->share, 150.0 / 300);
  EXPECT_DOUBLE_EQ(found->after->share, 1150.0 / 1300);
}

TEST(trace_diff, finds_operations_that_come_go_and_change) {
  std::vector<timeline_record> other = two_ranks();
  other[2].tag = "k";         // another name
  other[3].bytes = 2000;      // other bytes
  other.push_back(other[4]);  // once more
  const auto found = different(two_ranks(), other);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].name.name, "k -> rank 1");
  EXPECT_FALSE(found[0].before.has_value());
  EXPECT_EQ(found[1].name.name, "q -> rank 1");
  EXPECT_FALSE(found[1].after.has_value());
  EXPECT_EQ(found[2].name.name, "v own chunk");
  EXPECT_EQ(found[2].after->count, 2u);
  EXPECT_EQ(found[3].name.name, "v -> rank 0");
  EXPECT_EQ(found[3].after->bytes, 2000u);
}

TEST(trace_diff, leaves_ranges_alone) {
  std::vector<timeline_record> more = two_ranks();
  more.push_back(record(0, "stage", record_kind::range, "exposed", 0, 10));
  EXPECT_THAT(different(two_ranks(), more), IsEmpty()) << "they are worked out of times";
}

TEST(trace_diff, takes_the_middle_of_durations) {
  const auto median_of = [](const std::vector<std::int64_t>& durations) {
    std::vector<timeline_record> records;
    std::int64_t at = 0;
    for (const std::int64_t each : durations) {
      records.push_back(record(0, "s", record_kind::kernel, "a", at, at + each));
      at += each;
    }
    const opened_trace trace = open_trace(text_of(records));
    return diff_traces(trace, trace).front().before->median_ns;
  };
  EXPECT_EQ(median_of({5}), 5);
  EXPECT_EQ(median_of({9, 1, 5}), 5);
  EXPECT_EQ(median_of({9, 1, 5, 7}), 6);
}

std::string merged(const std::vector<named_trace>& traces, merge_clock clock) {
  std::ostringstream out;
  merge_traces(out, traces, clock);
  EXPECT_THAT(lint(out.str()).messages, IsEmpty());
  return out.str();
}

TEST(trace_merge, puts_processes_side_by_side_under_numbers_of_their_own) {
  const std::string text = text_of(two_ranks());
  const opened_trace both =
      open_trace(merged({{"first", text}, {"second", text}}, merge_clock::starts));
  std::vector<std::string> names;
  for (const trace_process& each : both.processes) names.push_back(each.name);
  EXPECT_THAT(names,
              ElementsAre("first: rank 0", "second: rank 0", "first: rank 1", "second: rank 1"));
  EXPECT_EQ(both.arrows, 2u);
  EXPECT_EQ(both.slices.size(), 12u);
  EXPECT_EQ(both.names[both.slices.back().scope], "second: shape arm");
  EXPECT_EQ(both.other_data["merged"][1]["name"], "second");
  EXPECT_EQ(both.other_data["merged"][1]["otherData"]["command"], "test");
  const trace_summary one = summarize(open_trace(text)), two = summarize(both);
  EXPECT_EQ(two.processes[3].rows.at("copy").busy_ns, one.processes[1].rows.at("copy").busy_ns);
}

TEST(trace_merge, tells_the_same_overlap_of_each) {
  const stage_trace made;
  const std::string text = text_of(made.records);
  const trace_summary one = summarize(open_trace(text));
  const trace_summary two =
      summarize(open_trace(merged({{"a", text}, {"b", text}}, merge_clock::starts)));
  ASSERT_EQ(two.overlaps.size(), 2u);
  EXPECT_EQ(two.overlaps[1].scope, "b: shape arm");
  EXPECT_EQ(two.overlaps[1].told().hidden(), one.overlaps[0].told().hidden());
  EXPECT_EQ(two.overlaps[1].told().within_rank, one.overlaps[0].told().within_rank);
}

TEST(trace_merge, places_traces_by_what_the_clock_says) {
  std::vector<timeline_record> early = {record(0, "s", record_kind::kernel, "early", 5'000, 6'001)};
  std::vector<timeline_record> late = {record(0, "s", record_kind::kernel, "late", 9'500, 9'600)};
  const std::string first = text_of(late), second = text_of(early);
  const auto starts_of = [&](merge_clock clock) {
    const opened_trace both = open_trace(merged({{"l", first}, {"e", second}}, clock));
    return std::vector{both.slices[0].start_ns, both.slices[1].start_ns};
  };
  EXPECT_THAT(starts_of(merge_clock::base), ElementsAre(4'500, 0));
  EXPECT_THAT(starts_of(merge_clock::starts), ElementsAre(0, 0));
  const std::string foreign =
      R"([{"ph":"M","name":"process_name","pid":9,"args":{"name":"x"}},
          {"ph":"M","name":"thread_name","pid":9,"tid":9,"args":{"name":"y"}},
          {"ph":"X","name":"a","pid":9,"tid":9,"ts":1000.5,"dur":1,"args":{"keep":[1,{"this":2}]}}])";
  const std::string alone = merged({{"f", foreign}}, merge_clock::starts);
  EXPECT_THAT(alone, HasSubstr(R"("ts":0.000,"dur":1.000,"args":{"keep":[1,{"this":2}]})"));
  try {
    std::ostringstream out;
    merge_traces(out, std::vector<named_trace>{{"f", foreign}}, merge_clock::base);
    FAIL();
  } catch (const std::invalid_argument& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("f: has no otherData.base_ns"));
  }
}

TEST(trace_merge, refuses_what_it_can_not_renumber) {
  for (const std::string event :
       {R"({"ph":"b","name":"a","pid":0,"tid":0,"ts":1})",
        R"({"ph":"X","name":"a","pid":0,"ts":1})",
        R"({"ph":"X","name":"a","pid":0,"tid":0,"ts":-1,"dur":1})", "7"}) {
    std::ostringstream out;
    const std::string text = "[" + event + "]";
    EXPECT_THROW(merge_traces(out, std::vector<named_trace>{{"t", text}}, merge_clock::starts),
                 std::invalid_argument)
        << event;
  }
}

/// Takes text and keeps its lines' number alone.
class line_counter : public std::streambuf {
 public:
  std::size_t lines() const { return lines_; }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize length) override {
    lines_ += static_cast<std::size_t>(std::count(text, text + length, '\n'));
    return length;
  }
  int_type overflow(int_type) override { return traits_type::eof(); }

 private:
  std::size_t lines_ = 0;
};

TEST(chrome_trace, writes_a_million_events_as_it_goes) {
  constexpr std::size_t count = 500'000;
  std::vector<timeline_record> records(count, copy(0, "v", 1, 1, 0, 0));
  for (std::size_t i = 0; i < count; ++i) {
    records[i].start_ns = static_cast<std::int64_t>(1000 * i);
    records[i].end_ns = records[i].start_ns + 900;
    // Every second is the submit of the one behind it.
    records[i].operation = i / 2 + 1;
    if (i % 2 == 0) records[i].kind = record_kind::submit;
  }
  line_counter lines;
  std::ostream out(&lines);
  write_chrome_trace(out, records, nlohmann::json::object());
  constexpr std::size_t names = 4, around = 2;  // of a process and a row
  EXPECT_EQ(lines.lines(), count + count + names + around);
}

}  // namespace
}  // namespace ithaca::traces
