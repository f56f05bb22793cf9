#include "backend/host/host_event.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ithaca {
namespace {

TEST(host_event, measures_between_the_latest_records) {
  host_event start, end;
  start.renew()->happen(1'000);
  end.renew()->happen(5'500);
  EXPECT_EQ(end.elapsed_ns_since(start), 4'500);
  EXPECT_EQ(start.elapsed_ns_since(end), -4'500);
  start.renew()->happen(6'000);
  EXPECT_EQ(end.elapsed_ns_since(start), -500);
}

TEST(host_event, measures_nothing_that_has_not_happened) {
  host_event start, end;
  EXPECT_THROW(end.elapsed_ns_since(start), std::logic_error);
  start.renew()->happen(1);
  EXPECT_THROW(end.elapsed_ns_since(start), std::logic_error);
  EXPECT_THROW(start.elapsed_ns_since(end), std::logic_error);
  const auto pending = end.renew();
  EXPECT_THROW(end.elapsed_ns_since(start), std::logic_error);
  EXPECT_THROW(start.elapsed_ns_since(end), std::logic_error);
  pending->happen(3);
  EXPECT_EQ(end.elapsed_ns_since(start), 2);
}

TEST(host_event, replaces_its_record_and_leaves_the_old_one_to_those_who_have_it) {
  host_event event;
  EXPECT_EQ(event.current(), nullptr);
  const auto old = event.renew();
  EXPECT_EQ(event.current(), old);
  const auto fresh = event.renew();
  EXPECT_NE(fresh, old);
  EXPECT_EQ(event.current(), fresh);
  old->happen(1);
  EXPECT_TRUE(old->wait_for(std::chrono::milliseconds(0)));
  EXPECT_FALSE(fresh->wait_for(std::chrono::milliseconds(0)));
}

}  // namespace
}  // namespace ithaca
