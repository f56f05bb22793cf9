#include "backend/shared_count.hpp"

#include <gtest/gtest.h>

#include "validation/unit/forked.hpp"

namespace ithaca {
namespace {

TEST(shared_count, begins_at_zero_and_is_seen_by_another_process) {
  shared_count mine;
  EXPECT_EQ(mine.value(), 0u);
  mine.add();
  forked peer([&] {
    shared_count theirs(mine.duplicate());
    theirs.add();
    theirs.add();
    theirs.subtract();
    return static_cast<int>(theirs.value());
  });
  EXPECT_EQ(peer.exit_status(), 2);
  EXPECT_EQ(mine.value(), 2u);
}

TEST(shared_count, outlives_the_descriptor_that_it_came_by) {
  auto first = std::make_unique<shared_count>();
  shared_count second(first->duplicate());
  first->add();
  first.reset();
  EXPECT_EQ(second.value(), 1u);
}

}  // namespace
}  // namespace ithaca
