#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "traces/chrome_lint.hpp"
#include "traces/chrome_trace.hpp"
#include "traces/overlap.hpp"
#include "traces/overlap_rows.hpp"

namespace ithaca::traces {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

timeline_record work(record_kind kind, std::uint64_t operation, std::string name,
                     std::int64_t start_ns, std::int64_t end_ns) {
  timeline_record record;
  record.kind = kind;
  record.operation = operation;
  record.name = std::move(name);
  record.row = "compute";
  record.start_ns = start_ns;
  record.end_ns = end_ns;
  return record;
}

timeline_record kernel(std::uint64_t operation, std::string name, std::int64_t start_ns,
                       std::int64_t end_ns) {
  return work(record_kind::kernel, operation, std::move(name), start_ns, end_ns);
}

timeline_record submit(std::uint64_t operation, std::string name) {
  return work(record_kind::submit, operation, std::move(name), 0, 1);
}

/// A part of exchange 7, to rank 1.
timeline_record copy(std::uint64_t operation, std::string tag, std::int64_t start_ns,
                     std::int64_t end_ns) {
  timeline_record record = work(record_kind::peer_copy, operation, "copy_2d", start_ns, end_ns);
  record.row = "copy";
  record.tag = std::move(tag);
  record.exchange = 7;
  record.peer = 1;
  record.bytes = 4096;
  return record;
}

timeline_record library_kernel(std::uint64_t operation, std::string name, std::int64_t start_ns,
                               std::int64_t end_ns) {
  timeline_record record = kernel(operation, std::move(name), start_ns, end_ns);
  record.exchange = 7;
  return record;
}

constexpr stage_window window{0, 10, 19};

stage_overlap overlap(const std::vector<timeline_record>& records) {
  const auto found = overlap_of(records, window);
  EXPECT_TRUE(found);
  return found.value_or(stage_overlap{});
}

/// V first: its copy runs beside norm + RoPE of Q and K, whose copies come after.
std::vector<timeline_record> v_first() {
  return {
      submit(10, "matmul"),      kernel(10, "nvjet_sm90_128x256", 1000, 2000),
      copy(11, "v", 2005, 2170), kernel(12, "void ithaca::norm_rope_kernel<2>(int)", 2010, 2168),
      copy(13, "q", 2200, 2300), copy(14, "k", 2300, 2400)};
}

TEST(overlap, adds_up_the_sms_that_kernels_of_exchanges_hold) {
  timeline_record packing = library_kernel(1, "pack_kernel", 0, 10);
  packing.sms = 132;
  timeline_record sending = library_kernel(2, "ncclDevKernel_SendRecv", 10, 40);
  sending.sms = 16;
  timeline_record computing = kernel(3, "gemm", 0, 40);
  computing.sms = 132;
  timeline_record copying = copy(4, "v", 40, 50);
  std::vector<timeline_record> all = {packing, sending, computing, copying};
  for (timeline_record& each : all) each.engine = record_engine::sm;
  const stage_window whole{0, 1, 4};
  EXPECT_EQ(overlap_of(all, whole)->held_sm_ns, 10 * 132 + 30 * 16);
  all[1].sms = 0;
  EXPECT_EQ(overlap_of(all, whole)->held_sm_ns, std::nullopt) << "one is not known";
  all[1] = copy(2, "v", 10, 40);
  EXPECT_EQ(overlap_of(all, whole)->held_sm_ns, std::nullopt) << "nobody knows what copied";
}

TEST(overlap, finds_v_beside_norm_and_rope) {
  const stage_overlap of = overlap(v_first());
  EXPECT_EQ(of.stage, (time_interval{1000, 2400}));
  EXPECT_EQ(of.computation, interval_set({{1000, 2000}, {2010, 2168}}));
  EXPECT_EQ(of.to_peers, interval_set({{2005, 2170}, {2200, 2400}}));
  EXPECT_TRUE(of.within_rank.empty());
  EXPECT_EQ(of.hidden(), interval_set({{2010, 2168}}));
  EXPECT_EQ(of.exposed(), interval_set({{2000, 2010}, {2168, 2400}}));
  EXPECT_EQ(length_ns(of.stage), of.computation.total_ns() + of.exposed().total_ns());
  const tag_overlap& v = of.tags.at("v");
  EXPECT_EQ(v.moving, interval_set({{2005, 2170}}));
  EXPECT_EQ(v.windows, interval_set({{2010, 2168}}));
  EXPECT_THAT(v.beside, ElementsAre(Pair("norm_rope_kernel", interval_set({{2010, 2168}}))));
  EXPECT_TRUE(of.tags.at("q").windows.empty());
  EXPECT_THAT(of.tags.at("q").beside, IsEmpty());
}

TEST(overlap, names_computations_as_they_were_submitted) {
  const stage_overlap of = overlap({submit(10, "matmul"), kernel(10, "nvjet_sm90_128x256", 0, 10),
                                    kernel(10, "splitKreduce_kernel", 12, 20),
                                    work(record_kind::memset, 10, "memset", 20, 22),
                                    kernel(11, "norm", 30, 40), copy(12, "v", 5, 35)});
  EXPECT_EQ(of.computation, interval_set({{0, 10}, {12, 22}, {30, 40}}));
  EXPECT_EQ(of.tags.at("v").windows.total_ns(), 20);
  EXPECT_THAT(of.tags.at("v").beside, ElementsAre(Pair("matmul", interval_set({{5, 10}, {12, 22}})),
                                                  Pair("norm", interval_set({{30, 35}}))));
}

TEST(overlap, counts_streams_that_run_at_once_only_once) {
  const stage_overlap of =
      overlap({kernel(10, "a", 0, 60), kernel(11, "b", 40, 100), copy(12, "v", 10, 50),
               copy(13, "q", 30, 120), copy(14, "v", 20, 55)});
  EXPECT_EQ(of.computation.total_ns(), 100);
  EXPECT_EQ(of.communication().total_ns(), 110);
  EXPECT_EQ(of.hidden().total_ns(), 90);
  EXPECT_EQ(of.exposed(), interval_set({{100, 120}}));
  EXPECT_EQ(of.tags.at("v").windows, interval_set({{10, 55}}));
  EXPECT_THAT(of.tags.at("v").beside, ElementsAre(Pair("a", interval_set({{10, 55}})),
                                                  Pair("b", interval_set({{40, 55}}))));
}

TEST(overlap, keeps_what_moves_within_the_rank_apart) {
  timeline_record own = copy(12, "v", 0, 20);
  own.kind = record_kind::local_copy;
  own.peer = 0;
  timeline_record own_by_kernel = library_kernel(13, "some_kernel", 20, 30);
  own_by_kernel.peer = 0;
  const stage_overlap of = overlap({own, own_by_kernel, library_kernel(14, "pack_kernel", 30, 40),
                                    library_kernel(15, "ncclDevKernel_SendRecv", 40, 90),
                                    library_kernel(16, "void x::relayout_kernel<4>()", 90, 95),
                                    kernel(17, "norm", 35, 50)});
  EXPECT_EQ(of.within_rank, interval_set({{0, 40}, {90, 95}}));
  EXPECT_EQ(of.to_peers, interval_set({{40, 90}}));
  EXPECT_EQ(of.hidden().total_ns(), 15);
  EXPECT_EQ(of.tags.size(), 1u);
  EXPECT_EQ(of.tags.at("grouped").windows, interval_set({{40, 50}}));
}

TEST(overlap, takes_only_the_window_of_its_rank) {
  std::vector<timeline_record> records = v_first();
  const stage_overlap alone = overlap(records);
  records.push_back(kernel(9, "gate", 0, 1000));
  records.push_back(kernel(20, "check_kernel", 2400, 9000));
  records.push_back(kernel(0, "unknown", 0, 9000));
  timeline_record other = kernel(12, "norm", 0, 9000);
  other.rank = 1;
  records.push_back(other);
  const stage_overlap of = overlap(records);
  EXPECT_EQ(of.stage, alone.stage);
  EXPECT_EQ(of.computation, alone.computation);
}

TEST(overlap, gives_no_time_to_signals_and_to_what_has_no_record) {
  std::vector<timeline_record> records = v_first();
  const stage_overlap alone = overlap(records);
  timeline_record wait = copy(15, "", 0, 9000);
  wait.kind = record_kind::signal_wait;
  records.push_back(wait);
  wait.kind = record_kind::signal_write;
  records.push_back(wait);
  timeline_record staged_signal = copy(16, "", 0, 9000);
  staged_signal.bytes = 8;
  records.push_back(staged_signal);
  timeline_record lost = copy(17, "k", 9000, 9000);
  lost.enqueued_only = true;
  records.push_back(lost);
  timeline_record outside = copy(18, "", 0, 9000);  // a copy of no exchange is neither
  outside.exchange = 0;
  records.push_back(outside);
  records.push_back(work(record_kind::range, 15, "range", 0, 9000));
  const stage_overlap of = overlap(records);
  EXPECT_EQ(of.stage, alone.stage);
  EXPECT_EQ(of.communication(), alone.communication());
  EXPECT_EQ(of.tags.size(), 3u);
}

TEST(overlap, bears_records_of_no_length) {
  const stage_overlap of = overlap({kernel(10, "norm", 50, 50), copy(11, "v", 60, 60)});
  EXPECT_EQ(of.stage, (time_interval{50, 60}));
  EXPECT_TRUE(of.computation.empty());
  EXPECT_TRUE(of.communication().empty());
  EXPECT_EQ(of.exposed().total_ns(), 10);
  EXPECT_TRUE(of.tags.at("v").windows.empty());
}

TEST(overlap, ends_when_the_peers_bytes_are_there) {
  std::vector<timeline_record> records = v_first();
  const auto arrives = [&](std::int64_t end_ns, int from, int to, std::uint64_t exchange) {
    timeline_record record = copy(99, "k", 2300, end_ns);
    record.rank = from;
    record.peer = to;
    record.exchange = exchange;
    records.push_back(record);
    return overlap(records);
  };
  EXPECT_EQ(arrives(3000, 1, 2, 7).stage.end_ns, 2400);
  EXPECT_EQ(arrives(3000, 1, 0, 8).stage.end_ns, 2400);
  const stage_overlap late = arrives(2450, 1, 0, 7);
  EXPECT_EQ(late.stage, (time_interval{1000, 2450}));
  EXPECT_EQ(late.exposed().total_ns(), 10 + 282);
  EXPECT_EQ(late.communication(), overlap(v_first()).communication());
  EXPECT_EQ(arrives(2440, 1, 0, 7).stage.end_ns, 2450);
  EXPECT_EQ(arrives(2460, 3, -1, 7).stage.end_ns, 2460);  // a push kernel, or a library's copy
  records.back().kind = record_kind::kernel;
  records.back().name = "relayout_kernel";
  records.back().end_ns = 9000;
  EXPECT_EQ(overlap(records).stage.end_ns, 2450);
}

TEST(overlap, of_one_part_alone) {
  const stage_overlap computing =
      overlap({kernel(10, "matmul", 0, 10), kernel(11, "norm", 12, 20)});
  EXPECT_TRUE(computing.communication().empty());
  EXPECT_EQ(computing.exposed().total_ns(), 2);
  EXPECT_THAT(computing.tags, IsEmpty());
  const stage_overlap communicating = overlap({copy(10, "v", 5, 25)});
  EXPECT_EQ(communicating.exposed().total_ns(), 20);
  EXPECT_TRUE(communicating.hidden().empty());
}

TEST(overlap, is_none_where_nothing_ran) {
  EXPECT_FALSE(overlap_of({}, window));
  EXPECT_FALSE(overlap_of(v_first(), {0, 100, 200}));
  EXPECT_FALSE(overlap_of(v_first(), {1, 10, 19}));
  EXPECT_FALSE(overlap_of(std::vector{submit(10, "matmul")}, window));
  EXPECT_THROW(overlap_of(v_first(), {0, 0, 19}), std::invalid_argument);
  EXPECT_THROW(overlap_of(v_first(), {0, 19, 10}), std::invalid_argument);
  EXPECT_THROW(overlap_of(std::vector{kernel(10, "norm", 2, 1)}, window), std::invalid_argument);
}

stage_overlap waiting(int rank, std::int64_t exposed_ns) {
  stage_overlap of;
  of.rank = rank;
  of.stage = {0, exposed_ns};
  return of;
}

TEST(overlap, takes_the_rank_that_waits_longest_and_the_run_in_the_middle) {
  const std::vector<stage_overlap> of = {waiting(0, 30), waiting(1, 50), waiting(2, 50),
                                         waiting(3, 10), waiting(4, 40)};
  EXPECT_EQ(most_exposed(of).rank, 1);
  EXPECT_EQ(median_run(of).rank, 4);
  EXPECT_EQ(median_run(std::span(of).first(4)).rank, 1);
  EXPECT_EQ(median_run(std::span(of).first(1)).rank, 0);
  EXPECT_THROW(most_exposed({}), std::invalid_argument);
  EXPECT_THROW(median_run({}), std::invalid_argument);
}

TEST(overlap_rows, tile_the_stage_and_show_every_window) {
  const std::vector<timeline_record> rows = overlap_rows(overlap(v_first()), "cell");
  std::map<std::string, std::vector<time_interval>> slices;
  for (const timeline_record& each : rows) {
    EXPECT_EQ(each.kind, record_kind::range);
    EXPECT_EQ(each.scope, "cell");
    slices[each.row + ": " + each.name].push_back({each.start_ns, each.end_ns});
  }
  EXPECT_THAT(slices,
              ElementsAre(Pair("overlap: v beside norm_rope_kernel",
                               ElementsAre(time_interval{2010, 2168})),
                          Pair("stage: computation",
                               ElementsAre(time_interval{1000, 2000}, time_interval{2010, 2168})),
                          Pair("stage: exposed",
                               ElementsAre(time_interval{2000, 2010}, time_interval{2168, 2400}))));
}

TEST(overlap_rows, make_a_trace_without_faults) {
  // Two ranks, and windows that overlap partly: they get lanes.
  std::vector<timeline_record> records = {kernel(10, "a", 0, 60), kernel(11, "b", 40, 100),
                                          submit(12, "copy_2d"), copy(12, "v", 10, 50),
                                          copy(13, "q", 30, 120)};
  const std::size_t of_one_rank = records.size();
  for (std::size_t i = 0; i < of_one_rank; ++i) {
    records.push_back(records[i]);
    records.back().rank = 1;
    records.back().peer = 0;
  }
  for (int rank = 0; rank < 2; ++rank) {
    const auto rows = overlap_rows(*overlap_of(records, {rank, 10, 19}), "cell");
    for (const timeline_record& each : rows) EXPECT_EQ(each.rank, rank);
    records.insert(records.end(), rows.begin(), rows.end());
  }
  std::stringstream trace;
  write_chrome_trace(trace, records, nlohmann::json::object());
  const std::string text = trace.str();
  EXPECT_THAT(lint(trace.str()).messages, IsEmpty());
  for (const char* shown : {"\"v beside b\"", "\"q beside a\"", "\"exposed\"", "\"computation\"",
                            "{\"name\":\"stage\"}", "{\"name\":\"overlap (2)\"}"}) {
    EXPECT_THAT(text, testing::HasSubstr(shown));
  }
}

}  // namespace
}  // namespace ithaca::traces
