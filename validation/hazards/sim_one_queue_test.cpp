// Simulated ranks whose streams all lie in one hardware queue: a stream that waits holds up all
// that is enqueued behind it, on whichever stream.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "backend/direct_exchanger.hpp"
#include "backend/peer_memory.hpp"
#include "validation/hazards/one_queue_device.hpp"
#include "validation/hazards/sim_stories.hpp"

namespace ithaca::validation {
namespace {

using sim::finding_kind;
using testing::HasSubstr;

/// No schedule of three exchanges stands still, or has anything else to tell.
void expect_progress(direct_options options) {
  expect_no_finding([options](group& ranks, device& on) {
    one_queue_device narrow(on);
    exchanges(options, fault::none, three_exchanges)(ranks, narrow);
  });
}

TEST(sim_one_queue, is_enough_for_every_mover) {
  for (const mover by : {mover::copy_engine, mover::push_kernel, mover::push_exchange}) {
    expect_progress({.moves = by});
    expect_progress({.reuse = target_reuse::n_buffers, .moves = by});
  }
}

TEST(sim_one_queue, is_enough_for_copies_in_any_order) {
  expect_progress({.lanes = 2});
  expect_progress({.order = peer_order::paced});
  expect_progress({.arrivals = arrival_scope::per_tensor});
}

/// Waits for a peer's word on one stream before it writes its own on another.
void announce_behind_the_wait(group& ranks, device& on) {
  const std::shared_ptr<memory> page = on.allocate(64);
  on.write(std::vector<std::byte>(64), page->data());
  const peer_memory pages(ranks, on, page);
  const auto flag_of = [&](int rank) { return reinterpret_cast<std::uint64_t*>(pages.at(rank)); };
  const int next = (ranks.rank() + 1) % ranks.size();
  const auto reads = on.create_stream("compute", stream_priority::normal);
  const auto sends = on.create_stream("copy", stream_priority::high);
  reads->wait_value(flag_of(ranks.rank()), 1, {"v", -1, 1});
  sends->write_value(flag_of(next), 1, {"v", next, 1});
  reads->synchronize(ranks.deadline());
  sends->synchronize(ranks.deadline());
  ranks.barrier();
}

TEST(sim_one_queue, held_up_by_a_wait_is_none_of_several) {
  expect_no_finding(announce_behind_the_wait);
}

TEST(sim_one_queue, control_a_wait_holds_up_what_a_peer_waits_for) {
  const auto told = stories(finding_kind::deadlock, [](group& ranks, device& on) {
    one_queue_device narrow(on);
    announce_behind_the_wait(ranks, narrow);
  });
  EXPECT_THAT(told, testing::SizeIs(schedules));
  EXPECT_THAT(told, testing::Each(HasSubstr("to reach 1; it holds 0, and nobody has written it")));
}

}  // namespace
}  // namespace ithaca::validation
