// What the probe says when something is wrong with the device. Delays decide which arm is quicker:
// each copy takes one more, a push exchange one in all.

#include "bench/crossover_probe.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "backend/host/host_device.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/hazards/borrowed_group.hpp"
#include "validation/hazards/faulty_device.hpp"

namespace ithaca::validation {
namespace {

using namespace std::chrono_literals;

/// What two ranks find, of which rank 1 has the defects; the same on both.
bench::probed_crossover probed(defects of_rank_0, defects of_rank_1) {
  std::vector<bench::probed_crossover> found(2);
  run_thread_ranks(2, [&](thread_group& ranks) {
    host_device host;
    faulty_device on(host, ranks.rank() == 1 ? of_rank_1 : of_rank_0);
    bench::start_gate gate(ranks, ranks, on);
    bench::ulysses_site site(
        ranks, on,
        [&](int, int) { return std::make_unique<borrowed_group>(ranks, kinship::threads); }, 2);
    found[static_cast<std::size_t>(ranks.rank())] = bench::probe_crossover(ranks, site, gate);
  });
  EXPECT_EQ(found[0].bytes, found[1].bytes);
  EXPECT_EQ(found[0].mismatched_bytes, found[1].mismatched_bytes);
  return found[0];
}

// The host device's sizes hold 5, 10 and 21 rows of each of three tensors.
constexpr std::size_t row_bytes = 3 * 4096;
constexpr defects slow_copies = {.copy_delay = 3ms};

TEST(crossover_probe, comes_to_the_largest_size_where_a_push_always_wins) {
  const bench::probed_crossover found = probed(slow_copies, slow_copies);
  EXPECT_EQ(found.bytes, 21 * row_bytes);
  EXPECT_EQ(found.mismatched_bytes, 0u);
}

TEST(crossover_probe, keeps_what_it_measured_before_one_rank_had_no_room) {
  defects small = slow_copies;
  small.largest_allocation_bytes = 350'000;  // the sources of 5 rows, not those of 10
  EXPECT_EQ(probed(slow_copies, small).bytes, 5 * row_bytes);
  small.largest_allocation_bytes = 500'000;
  EXPECT_EQ(probed(slow_copies, small).bytes, 10 * row_bytes);
}

TEST(crossover_probe, finds_none_where_an_arm_can_not_run) {
  const bench::probed_crossover found = probed(slow_copies, {.no_descriptors = true});
  EXPECT_EQ(found.bytes, 0u);
  EXPECT_EQ(found.mismatched_bytes, 0u);
}

TEST(crossover_probe, control_trusts_no_times_of_wrong_bytes) {
  defects wrong = slow_copies;
  wrong.broken = fault::signal_before_copy;
  const bench::probed_crossover found = probed(slow_copies, wrong);
  EXPECT_EQ(found.bytes, 0u);
  EXPECT_GT(found.mismatched_bytes, 0u);
}

}  // namespace
}  // namespace ithaca::validation
