#include "backend/event_pool.hpp"

#include <gtest/gtest.h>

#include "backend/host/host_device.hpp"

namespace ithaca {
namespace {

class event_pools : public testing::Test {
 protected:
  host_device on;
  std::unique_ptr<stream> at = on.create_stream("at", stream_priority::normal);
  event_pool pool{on};
};

TEST_F(event_pools, give_nobody_an_event_that_someone_holds) {
  const auto first = pool.recorded(*at);
  const auto second = pool.recorded(*at);
  const auto also_first = first;  // NOLINT: held twice, on purpose
  EXPECT_NE(first, second);
  EXPECT_NE(pool.recorded(*at), first);
}

TEST_F(event_pools, use_an_event_again_once_nobody_holds_it) {
  auto first = pool.recorded(*at);
  const event* const made = first.get();
  auto also_first = first;
  first.reset();
  const auto second = pool.recorded(*at);
  EXPECT_NE(second.get(), made) << "it is still held by one";
  also_first.reset();
  EXPECT_EQ(pool.recorded(*at).get(), made);
}

}  // namespace
}  // namespace ithaca
