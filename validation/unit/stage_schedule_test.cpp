#include <gtest/gtest.h>

#include "backend/errors.hpp"
#include "bench/options.hpp"
#include "bench/stage/row_pieces.hpp"
#include "bench/stage/schedule.hpp"

namespace ithaca::bench {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    parse_schedule(text);
  } catch (const invalid_use& refused) {
    return refused.what();
  }
  return "taken";
}

TEST(schedule, settings_are_read_and_written) {
  const chosen_schedule chosen =
      parse_schedule("chunked:own=produced:tensors=kv:shrink=1.5:pieces=6");
  EXPECT_EQ(chosen.what->name, "chunked");
  EXPECT_EQ(chosen.settings.pieces, 6);
  EXPECT_EQ(chosen.settings.shrink, 1.5);
  EXPECT_EQ(chosen.settings.own, own_chunk::produced);
  EXPECT_EQ(chosen.settings.in_pieces, (std::vector{qkv_tensor::k, qkv_tensor::v}));
  EXPECT_EQ(chosen.text(), "chunked:pieces=6:shrink=1.5:tensors=kv:own=produced");
  EXPECT_EQ(parse_schedule(chosen.text()).settings, chosen.settings);
}

TEST(schedule, usual_settings_go_unsaid) {
  EXPECT_EQ(parse_schedule("chunked:pieces=4:shrink=2:tensors=k:own=copied").text(), "chunked");
}

TEST(schedule, the_usual_ones_are_there) {
  for (const std::string_view each : default_schedules) {
    EXPECT_EQ(parse_schedule(std::string(each)).text(), each);
  }
}

TEST(schedule, what_can_not_be_is_refused_in_words) {
  EXPECT_EQ(refusal_of("v-fist"), "there is no schedule 'v-fist'; did you mean 'v-first'?");
  EXPECT_EQ(refusal_of("v-first:pieces=4"),
            "schedule v-first has no setting 'pieces'; known are "
            "'own'");
  EXPECT_EQ(refusal_of("head-chunks:own=produced"), "schedule head-chunks has no setting 'own'");
  EXPECT_EQ(refusal_of("chunked:4"),
            "schedule 'chunked:4': '4' is no setting: give name=value, as in chunked:pieces=4");
  for (const char* wrong :
       {"chunked:pieces=0", "chunked:pieces=65", "chunked:pieces=x", "chunked:shrink=0.5",
        "chunked:shrink=nan", "chunked:shrink=17", "chunked:tensors=kk",
        "chunked:tensors=", "chunked:tensors=o", "chunked:", "chunked:pieces=3:pieces=4", "chunked:own=other", "", ":", "all"}) {
    EXPECT_NE(refusal_of(wrong), "taken") << wrong;
  }
}

std::vector<std::int64_t> counts_of(std::int64_t rows, int pieces, double shrink) {
  std::vector<std::int64_t> counts;
  std::int64_t next = 0;
  for (const index_range& each : shrinking_pieces(rows, pieces, shrink)) {
    EXPECT_EQ(each.begin, next);
    next = each.end();
    counts.push_back(each.count);
  }
  EXPECT_EQ(next, rows);
  return counts;
}

TEST(row_pieces, shrink_towards_the_end_in_whole_tiles) {
  EXPECT_EQ(counts_of(9472, 4, 2), (std::vector<std::int64_t>{4992, 2560, 1280, 640}));
  EXPECT_EQ(counts_of(1000, 1, 2), (std::vector<std::int64_t>{1000}));
  EXPECT_EQ(counts_of(1024, 4, 1), (std::vector<std::int64_t>{256, 256, 256, 256}));
}

TEST(row_pieces, of_few_rows_are_never_empty) {
  EXPECT_EQ(counts_of(15, 4, 2), (std::vector<std::int64_t>{8, 4, 2, 1}));
  EXPECT_EQ(counts_of(4, 4, 16), (std::vector<std::int64_t>{1, 1, 1, 1}));
  for (std::int64_t rows = 64; rows < 20'000; rows = rows * 5 / 3 + 1) {
    for (const double shrink : {1.0, 1.3, 2.0, 16.0}) {
      for (const std::int64_t count : counts_of(rows, 64, shrink)) EXPECT_GT(count, 0) << rows;
    }
  }
}

TEST(row_pieces, more_than_rows_are_refused) {
  EXPECT_THROW(shrinking_pieces(3, 4, 2), invalid_use);
  EXPECT_NO_THROW(shrinking_pieces(0, 0, 2));
}

}  // namespace
}  // namespace ithaca::bench
