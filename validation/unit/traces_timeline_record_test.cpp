#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "traces/enqueued_operation.hpp"
#include "traces/timeline_record.hpp"

namespace ithaca::traces {
namespace {

timeline_record everything_set() {
  return {3,
          "copy",
          record_kind::peer_copy,
          "copy_2d",
          "v",
          2,
          4096,
          7,
          record_engine::copy_engine,
          1'234'567'890'123'456'789,
          1'234'567'890'123'456'999,
          42,
          true,
          "shape \"x\", arm y"};
}

TEST(timeline_record, comes_back_from_text_as_it_was) {
  const std::vector<timeline_record> records = {everything_set(), {}};
  const std::string text = nlohmann::json(records).dump();
  EXPECT_EQ(nlohmann::json::parse(text).get<std::vector<timeline_record>>(), records);
}

TEST(timeline_record, every_kind_and_engine_has_a_name_of_its_own) {
  for (int kind = 0; kind <= static_cast<int>(record_kind::range); ++kind) {
    for (int engine = 0; engine <= static_cast<int>(record_engine::none); ++engine) {
      timeline_record record;
      record.kind = static_cast<record_kind>(kind);
      record.engine = static_cast<record_engine>(engine);
      EXPECT_EQ(nlohmann::json(record).get<timeline_record>(), record);
    }
  }
  EXPECT_EQ(to_string(record_kind::range), "range");
  EXPECT_EQ(to_string(record_engine::none), "none");
}

TEST(timeline_record, refuses_text_that_is_no_record) {
  nlohmann::json unknown_kind = everything_set();
  unknown_kind["kind"] = "telepathy";
  EXPECT_THROW(unknown_kind.get<timeline_record>(), std::invalid_argument);
  nlohmann::json unknown_engine = everything_set();
  unknown_engine["engine"] = "steam";
  EXPECT_THROW(unknown_engine.get<timeline_record>(), std::invalid_argument);
  nlohmann::json incomplete = everything_set();
  incomplete.erase("exchange");
  EXPECT_THROW(incomplete.get<timeline_record>(), nlohmann::json::exception);
}

enqueued_operation copy_to(int peer) {
  return {5, enqueued_kind::copy, "copy_2d", "copy", "k", peer, 9, 1000, "here", 100, 130};
}

TEST(enqueued_operation, gives_a_submit_on_the_hosts_row_that_moves_no_bytes) {
  const timeline_record submit = submit_record(copy_to(2), 1);
  EXPECT_EQ(submit, (timeline_record{1, "host", record_kind::submit, "copy_2d", "k", 2, 0, 9,
                                     record_engine::host_thread, 100, 130, 5, false, "here"}));
}

TEST(enqueued_operation, is_a_peer_copy_only_to_another_rank) {
  EXPECT_EQ(executed_record(copy_to(2), 1, 200, 300, record_engine::host_thread),
            (timeline_record{1, "copy", record_kind::peer_copy, "copy_2d", "k", 2, 1000, 9,
                             record_engine::host_thread, 200, 300, 5, false, "here"}));
  EXPECT_EQ(executed_record(copy_to(1), 1, 0, 0, {}).kind, record_kind::local_copy);
  EXPECT_EQ(executed_record(copy_to(-1), 1, 0, 0, {}).kind, record_kind::local_copy);
}

TEST(enqueued_operation, keeps_what_it_is) {
  enqueued_operation op = copy_to(2);
  op.kind = enqueued_kind::signal_write;
  EXPECT_EQ(executed_record(op, 1, 0, 0, {}).kind, record_kind::signal_write);
  op.kind = enqueued_kind::signal_wait;
  EXPECT_EQ(executed_record(op, 1, 0, 0, {}).kind, record_kind::signal_wait);
  op.kind = enqueued_kind::kernel;
  EXPECT_EQ(executed_record(op, 1, 0, 0, {}).kind, record_kind::kernel);
}

TEST(enqueued_operation, without_a_record_is_an_instant_at_the_end_of_its_enqueue) {
  const timeline_record instant = enqueued_only_record(copy_to(2), 1);
  EXPECT_TRUE(instant.enqueued_only);
  EXPECT_EQ(instant.start_ns, 130);
  EXPECT_EQ(instant.end_ns, 130);
  EXPECT_EQ(instant.engine, record_engine::none);
  EXPECT_EQ(instant.row, "copy");
}

}  // namespace
}  // namespace ithaca::traces
