// The pure parts of the simulator: bytes in common, what was heard, what a signal tells.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <vector>

#include "backend/sim/access_history.hpp"
#include "backend/sim/exploring_policy.hpp"
#include "backend/sim/pitched_overlap.hpp"
#include "backend/sim/vector_clock.hpp"
#include "backend/sim/word_history.hpp"

namespace ithaca::sim {
namespace {

std::byte area[4096];

pitched_bytes at(std::size_t offset, std::size_t pitch, std::size_t width, std::size_t height) {
  return {area + offset, pitch, width, height};
}

std::set<const std::byte*> every_byte(const pitched_bytes& of) {
  std::set<const std::byte*> bytes;
  for (std::size_t row = 0; row < of.height; ++row) {
    for (std::size_t each = 0; each < of.width; ++each) {
      bytes.insert(of.data + row * of.pitch + each);
    }
  }
  return bytes;
}

TEST(pitched_overlap, is_what_the_bytes_say) {
  std::mt19937 random(3);
  const auto any = [&](std::size_t least, std::size_t most) {
    return least + random() % (most - least + 1);
  };
  int common = 0, covered = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto range = [&] {
      const std::size_t pitch = round % 3 == 0 ? 12 : any(1, 16);
      return at(any(0, 80), pitch, any(1, pitch), any(1, 6));
    };
    const pitched_bytes a = range(), b = range();
    const auto in_a = every_byte(a), in_b = every_byte(b);
    std::set<const std::byte*> both;
    std::ranges::set_intersection(in_a, in_b, std::inserter(both, both.end()));
    const auto found = overlap(a, b);
    ASSERT_EQ(found.has_value(), !both.empty()) << "round " << round;
    if (found) {
      ++common;
      EXPECT_EQ(found->first, *both.begin());
      for (std::size_t each = 0; each < found->count; ++each) {
        EXPECT_TRUE(both.contains(found->first + each));
      }
    }
    ASSERT_EQ(covers(a, b), both.size() == in_b.size()) << "round " << round;
    covered += covers(a, b);
  }
  EXPECT_GT(common, 1000);
  EXPECT_GT(covered, 100);
}

TEST(pitched_overlap, of_nothing_is_nothing) {
  EXPECT_FALSE(overlap(at(0, 8, 0, 4), at(0, 8, 8, 4)));
  EXPECT_TRUE(covers(at(0, 8, 8, 4), at(100, 8, 0, 4)));
}

operation_note note(std::uint32_t component, std::uint32_t time) {
  operation_note made;
  made.at = {component, time};
  return made;
}

TEST(vector_clock, hears_through_others) {
  vector_clock a, b, c;
  const moment first = a.tick(0);
  EXPECT_FALSE(b.has_seen(first));
  b.join(a);
  const moment second = b.tick(1);
  c.join(b);
  EXPECT_TRUE(c.has_seen(first));
  EXPECT_TRUE(c.has_seen(second));
  EXPECT_FALSE(a.has_seen(second));
  const moment later = a.tick(0);
  EXPECT_FALSE(c.has_seen(later));
}

class histories : public testing::Test {
 protected:
  bool conflicts(std::uint32_t component, access_kind kind, const pitched_bytes& bytes) {
    vector_clock& mine = heard_[component];
    operation_note by;
    by.at = mine.tick(component);
    return history_.add({bytes, kind, by}, mine).has_value();
  }
  void order(std::uint32_t first, std::uint32_t behind) { heard_[behind].join(heard_[first]); }

  vector_clock heard_[3];
  access_history history_;
};

TEST_F(histories, conflict_is_no_order_common_bytes_and_a_write) {
  EXPECT_FALSE(conflicts(0, access_kind::write, at(0, 16, 8, 4)));
  EXPECT_FALSE(conflicts(1, access_kind::write, at(8, 16, 8, 4)));  // between its rows
  EXPECT_TRUE(conflicts(2, access_kind::read, at(0, 64, 64, 1)));
  order(0, 2);
  order(1, 2);
  EXPECT_FALSE(conflicts(2, access_kind::read, at(0, 64, 64, 1)));
  EXPECT_FALSE(conflicts(0, access_kind::read, at(0, 8, 8, 1)));
  EXPECT_TRUE(conflicts(0, access_kind::write, at(0, 8, 8, 1)));
}

TEST_F(histories, additions_conflict_with_all_but_additions) {
  EXPECT_FALSE(conflicts(0, access_kind::add, at(0, 8, 8, 1)));
  EXPECT_FALSE(conflicts(1, access_kind::add, at(0, 8, 8, 1)));
  EXPECT_TRUE(conflicts(2, access_kind::read, at(0, 8, 8, 1)));
}

TEST_F(histories, what_is_covered_in_order_goes) {
  conflicts(0, access_kind::read, at(0, 8, 8, 1));
  conflicts(1, access_kind::read, at(0, 8, 8, 1));
  EXPECT_EQ(history_.kept().size(), 2u);
  conflicts(0, access_kind::read, at(0, 64, 64, 1));
  EXPECT_EQ(history_.kept().size(), 2u);
  order(0, 2);
  conflicts(2, access_kind::write, at(0, 64, 64, 1));  // no order with component 1
  EXPECT_EQ(history_.kept().size(), 2u);
  order(1, 2);
  conflicts(2, access_kind::write, at(0, 64, 64, 1));
  EXPECT_EQ(history_.kept().size(), 1u);
}

TEST_F(histories, an_addition_does_not_hide_a_write) {
  conflicts(0, access_kind::write, at(0, 8, 8, 1));
  conflicts(0, access_kind::add, at(0, 8, 8, 1));
  EXPECT_EQ(history_.kept().size(), 2u);
  EXPECT_TRUE(conflicts(1, access_kind::add, at(0, 8, 8, 1)));
}

class words : public testing::Test {
 protected:
  void write(std::uint64_t value) {
    operation_note by = note(0, writer_.tick(0).time);
    history_.write({value, writer_, by});
  }
  /// The time of the write that a wait counts on; 0: none.
  std::uint32_t counted_on(std::uint64_t awaited, const vector_clock& heard = {}) const {
    const word_write* const found = history_.counted_on(awaited, heard);
    return found ? found->by.at.time : 0;
  }

  vector_clock writer_;
  word_history history_;
};

TEST_F(words, count_on_the_first_write_that_reached) {
  for (const std::uint64_t value : {1, 2, 4, 5}) write(value);
  EXPECT_EQ(counted_on(0), 0u);
  EXPECT_EQ(counted_on(1), 1u);
  EXPECT_EQ(counted_on(3), 3u);
  EXPECT_EQ(counted_on(5), 4u);
  EXPECT_EQ(counted_on(6), 0u);
  EXPECT_EQ(history_.value(), 5u);
}

TEST_F(words, wrap_around) {
  history_.reset(~std::uint64_t{0});
  write(0);
  write(1);
  EXPECT_EQ(counted_on(0), 1u);
  EXPECT_EQ(counted_on(1), 2u);
}

TEST_F(words, taken_down_count_on_what_came_since) {
  for (const std::uint64_t value : {1, 0, 1, 0, 1}) write(value);
  EXPECT_EQ(counted_on(1), 1u);  // who has heard of nothing may have seen the first
  vector_clock heard;
  for (int time = 0; time < 4; ++time) heard.tick(0);
  EXPECT_EQ(counted_on(1, heard), 5u);
}

TEST_F(words, forget_towards_too_little) {
  for (std::uint64_t value = 1; value <= 10 * word_history::most_kept; ++value) write(value);
  const auto latest = static_cast<std::uint32_t>(10 * word_history::most_kept);
  EXPECT_EQ(counted_on(latest), latest);
  EXPECT_EQ(counted_on(latest - 5), latest - 5);
  EXPECT_EQ(counted_on(7), 1u);
}

TEST(exploring_policy, hands_out_what_is_offered_once) {
  exploring_policy explores(5);
  for (std::uint32_t actor = 0; actor < 9; ++actor) explores.offer({step_kind::host, actor, 0});
  std::set<std::uint32_t> taken;
  while (const auto next = explores.next()) EXPECT_TRUE(taken.insert(*next).second);
  EXPECT_EQ(taken.size(), 9u);
}

}  // namespace
}  // namespace ithaca::sim
