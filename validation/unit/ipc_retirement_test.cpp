#include "backend/cuda/ipc_retirement.hpp"

#include <gtest/gtest.h>

#include "backend/shared_count.hpp"

namespace ithaca {
namespace {

/// Says when it is freed.
class fake_allocation {
 public:
  explicit fake_allocation(int& freed) : freed_(freed) {}
  fake_allocation(const fake_allocation&) = delete;
  fake_allocation& operator=(const fake_allocation&) = delete;
  ~fake_allocation() { ++freed_; }

  shared_count& openers() { return openers_; }
  const shared_count& openers() const { return openers_; }

 private:
  int& freed_;
  shared_count openers_;
};

class ipc_retirements : public testing::Test {
 protected:
  ipc_retirements() { one.emplace_back(freed); }

  int freed = 0;
  std::list<fake_allocation> one;
  ipc_retirement<fake_allocation> retired;
};

TEST_F(ipc_retirements, take_without_freeing_and_leave_nothing_behind) {
  retired.take(one);
  EXPECT_TRUE(one.empty());
  EXPECT_EQ(freed, 0);
  static_assert(noexcept(retired.take(one)), "destructors call it");
  retired.take(one);  // inert
  retired.sweep();
  EXPECT_EQ(freed, 1);
}

TEST_F(ipc_retirements, keep_what_is_open_until_the_sweep_after_its_last_close) {
  shared_count peer(one.front().openers().duplicate());
  peer.add();
  peer.add();
  retired.take(one);
  retired.sweep();
  peer.subtract();
  retired.sweep();
  EXPECT_EQ(freed, 0);
  peer.subtract();
  EXPECT_EQ(freed, 0);
  retired.sweep();
  EXPECT_EQ(freed, 1);
  retired.sweep();
  EXPECT_EQ(freed, 1);
}

TEST_F(ipc_retirements, free_those_alone_that_nobody_has_open) {
  shared_count peer(one.front().openers().duplicate());
  peer.add();
  retired.take(one);
  int freed_too = 0;
  std::list<fake_allocation> closed;
  closed.emplace_back(freed_too);
  retired.take(closed);
  retired.sweep();
  EXPECT_EQ(freed, 0);
  EXPECT_EQ(freed_too, 1);
}

TEST_F(ipc_retirements, free_the_rest_at_their_end) {
  {
    ipc_retirement<fake_allocation> shorter;
    shorter.take(one);
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
}

}  // namespace
}  // namespace ithaca
