#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "traces/judgement.hpp"

namespace ithaca::traces {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

timeline_record of(record_kind kind, std::uint64_t exchange) {
  timeline_record record;
  record.kind = kind;
  record.exchange = exchange;
  return record;
}

timeline_record kernel(std::string name, std::uint64_t exchange) {
  timeline_record record = of(record_kind::kernel, exchange);
  record.name = std::move(name);
  record.engine = record_engine::sm;
  return record;
}

timeline_record copy(record_kind kind, std::uint64_t exchange, std::uint64_t bytes,
                     record_engine engine) {
  timeline_record record = of(kind, exchange);
  record.bytes = bytes;
  record.engine = engine;
  return record;
}

claim the_claim() {
  claim said;
  said.kernels = {{"pack", 1}, {"ncclDevKernel_*", 2}};
  said.peer_copies = {2, 300};
  said.peer_copies_on_copy_engine = true;
  said.local_copies = {1, 50};
  said.memsets = 1;
  said.signal_writes = 2;
  said.signal_waits = 1;
  return said;
}

/// Two exchanges that do what the claim says, with all that a traced pass holds around them.
std::vector<timeline_record> two_exchanges() {
  std::vector<timeline_record> records;
  for (const std::uint64_t exchange : {7u, 8u}) {
    records.push_back(kernel("void ithaca::pack<16>(int)", exchange));
    records.push_back(kernel("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", exchange));
    records.push_back(kernel("ncclDevKernel_Generic(int)", exchange));
    records.push_back(copy(record_kind::peer_copy, exchange, 100, record_engine::copy_engine));
    records.push_back(copy(record_kind::peer_copy, exchange, 200, record_engine::copy_engine));
    records.push_back(copy(record_kind::local_copy, exchange, 50, record_engine::sm));
    records.push_back(of(record_kind::memset, exchange));
    for (int i = 0; i < 2; ++i) records.push_back(of(record_kind::signal_write, exchange));
    timeline_record wait = of(record_kind::signal_wait, exchange);
    wait.enqueued_only = true;
    records.push_back(wait);
    records.push_back(of(record_kind::submit, exchange));
    records.push_back(of(record_kind::range, exchange));
  }
  records.push_back(kernel("poison", 0));
  records.push_back(copy(record_kind::peer_copy, 0, 1000, record_engine::sm));
  records.push_back(of(record_kind::signal_wait, 0));
  return records;
}

std::vector<std::string> reasons(const std::vector<timeline_record>& records) {
  const judgement verdict = judge(the_claim(), records, 2);
  EXPECT_EQ(verdict.holds, verdict.reasons.empty());
  return verdict.reasons;
}

std::vector<timeline_record> with(timeline_record more) {
  std::vector<timeline_record> records = two_exchanges();
  records.push_back(std::move(more));
  return records;
}

TEST(judgement, holds_when_everything_in_the_exchanges_is_claimed_and_nothing_is_missing) {
  const judgement verdict = judge(the_claim(), two_exchanges(), 2);
  EXPECT_TRUE(verdict.holds);
  EXPECT_THAT(verdict.reasons, testing::IsEmpty());
  EXPECT_EQ(nlohmann::json(verdict.observed), nlohmann::json::parse(R"({
    "kernels": {"pack": 2, "ncclDevKernel_SendRecv": 2, "ncclDevKernel_Generic": 2},
    "peer_copies": {"count": 4, "bytes": 600},
    "peer_copies_on_copy_engine": 4, "peer_copies_on_sm": 0, "peer_copies_engine_unknown": 0,
    "local_copies": {"count": 2, "bytes": 100}, "flag_copies": 0, "memsets": 2,
    "signal_writes": 4, "signal_waits": 2, "without_record": 0})"));
}

TEST(judgement, copies_in_any_number_still_count_by_their_bytes) {
  claim said = the_claim();
  said.copies_in_any_number = true;
  said.peer_copies.count = said.local_copies.count = 7;
  EXPECT_TRUE(judge(said, two_exchanges(), 2).holds);
  said.peer_copies.bytes += 1;
  EXPECT_FALSE(judge(said, two_exchanges(), 2).holds);
}

TEST(judgement, copies_too_small_for_data_are_flags_where_the_claim_says_so) {
  claim said = the_claim();
  const auto records = with(copy(record_kind::peer_copy, 8, 8, record_engine::copy_engine));
  EXPECT_FALSE(judge(said, records, 2).holds);
  said.flag_bytes = 8;
  EXPECT_TRUE(judge(said, records, 2).holds);
  EXPECT_EQ(judge(said, records, 2).observed.flag_copies, 1u);
  said.flag_bytes = 7;
  EXPECT_FALSE(judge(said, records, 2).holds);
}

TEST(judgement, an_unnamed_kernel_refutes) {
  EXPECT_THAT(reasons(with(kernel("void at::relayout<int>(int*)", 8))),
              ElementsAre("Expected no kernel relayout, seen: 1."));
}

TEST(judgement, a_kernel_too_many_or_too_few_refutes) {
  EXPECT_THAT(reasons(with(kernel("pack", 8))),
              ElementsAre("Expected kernels pack: 2 (1 in each of 2 exchanges), seen: 3."));
  auto records = two_exchanges();
  records.erase(records.begin() + 1);
  EXPECT_THAT(
      reasons(records),
      ElementsAre("Expected kernels ncclDevKernel_*: 4 (2 in each of 2 exchanges), seen: 3."));
}

TEST(judgement, a_peer_copy_too_many_refutes_by_count_and_by_bytes) {
  EXPECT_THAT(reasons(with(copy(record_kind::peer_copy, 8, 100, record_engine::copy_engine))),
              ElementsAre("Expected peer copies: 4 (2 in each of 2 exchanges), seen: 5.",
                          "Expected peer bytes: 600 (300 in each of 2 exchanges), seen: 700."));
}

TEST(judgement, other_bytes_refute_alone) {
  auto records = two_exchanges();
  records[3].bytes = 99;
  EXPECT_THAT(reasons(records), ElementsAre(HasSubstr("seen: 599.")));
  records = two_exchanges();
  records[5].bytes = 51;
  EXPECT_THAT(reasons(records),
              ElementsAre(AllOf(HasSubstr("locally copied bytes"), HasSubstr("seen: 101."))));
}

TEST(judgement, a_local_copy_is_no_peer_copy) {
  auto records = two_exchanges();
  records[3].kind = record_kind::local_copy;
  EXPECT_THAT(
      reasons(records),
      AllOf(Contains(HasSubstr("peer copies: 4")), Contains(HasSubstr("local copies: 2")),
            Contains(HasSubstr("peer bytes")), Contains(HasSubstr("locally copied bytes"))));
}

TEST(judgement, a_peer_copy_on_sms_refutes_a_claim_of_copy_engines_only) {
  auto records = two_exchanges();
  records[3].engine = record_engine::sm;
  EXPECT_THAT(reasons(records),
              ElementsAre("Expected every peer copy on a copy engine, seen on SMs: 1 of 4."));
  claim said = the_claim();
  said.peer_copies_on_copy_engine = false;
  EXPECT_TRUE(judge(said, records, 2).holds);
}

TEST(judgement, an_unknown_engine_is_said_but_not_judged) {
  auto records = two_exchanges();
  records[3].engine = record_engine::none;
  records[4].engine = record_engine::host_thread;
  const judgement verdict = judge(the_claim(), records, 2);
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.observed.peer_copies_engine_unknown, 2u);
  EXPECT_EQ(verdict.observed.peer_copies_on_copy_engine, 2u);
}

TEST(judgement, signals_and_memsets_are_counted) {
  EXPECT_THAT(reasons(with(of(record_kind::signal_write, 8))),
              ElementsAre("Expected signal writes: 4 (2 in each of 2 exchanges), seen: 5."));
  EXPECT_THAT(reasons(with(of(record_kind::signal_wait, 8))),
              ElementsAre("Expected signal waits: 2 (1 in each of 2 exchanges), seen: 3."));
  EXPECT_THAT(reasons(with(of(record_kind::memset, 8))),
              ElementsAre("Expected memsets: 2 (1 in each of 2 exchanges), seen: 3."));
}

TEST(judgement, a_copy_of_which_the_device_kept_no_record_was_not_seen) {
  auto records = two_exchanges();
  records[3].enqueued_only = true;
  EXPECT_THAT(reasons(records), AllOf(Contains(HasSubstr("peer copies")),
                                      Contains(HasSubstr("seen without one: 1."))));
}

TEST(judgement, counts_are_those_of_all_exchanges) {
  EXPECT_FALSE(judge(the_claim(), two_exchanges(), 1).holds);
  EXPECT_FALSE(judge(the_claim(), two_exchanges(), 3).holds);
  EXPECT_THROW(judge(the_claim(), two_exchanges(), 0), std::invalid_argument);
}

TEST(judgement, an_empty_claim_on_no_records_holds_and_on_any_work_does_not) {
  EXPECT_TRUE(judge({}, {}, 1).holds);
  EXPECT_FALSE(judge({}, two_exchanges(), 2).holds);
}

TEST(claim, of_several_exchanges_is_what_they_do_together) {
  claim both;
  both.kernels = {{"pack_kernel", 1}};
  both.peer_copies = {2, 100};
  both.local_copies = {1, 30};
  both.signal_writes = 4;
  both.signal_waits = 5;
  both.memsets = 6;
  claim other;
  other.kernels = {{"pack_kernel", 2}, {"relayout_kernel", 3}};
  other.peer_copies = {1, 50};
  other.peer_copies_on_copy_engine = true;
  other.local_copies = {1, 20};
  other.copies_in_any_number = true;
  other.flag_bytes = 8;
  other.signal_writes = 10;
  other.signal_waits = 20;
  other.memsets = 30;
  both += other;
  ASSERT_EQ(both.kernels.size(), 2u);
  EXPECT_EQ(both.kernels[0].count, 3u);
  EXPECT_EQ(both.kernels[1].count, 3u);
  EXPECT_EQ(both.peer_copies, (copy_totals{3, 150}));
  EXPECT_EQ(both.local_copies, (copy_totals{2, 50}));
  EXPECT_TRUE(both.peer_copies_on_copy_engine && both.copies_in_any_number);
  EXPECT_EQ(both.flag_bytes, 8u);
  EXPECT_EQ(both.signal_writes, 14u);
  EXPECT_EQ(both.signal_waits, 25u);
  EXPECT_EQ(both.memsets, 36u);
}

}  // namespace
}  // namespace ithaca::traces
