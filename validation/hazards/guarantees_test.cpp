// Every guarantee of `exchanger` twice, for every mover and option of the direct exchanger: with
// its mechanism it holds, without it the same exchange is seen to go wrong. Delays decide who comes
// first; where the machine was too busy for them, a control is tried again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <ostream>
#include <set>

#include "backend/direct_exchanger.hpp"
#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/hazards/faulty_device.hpp"

namespace ithaca::validation {
namespace {

using namespace std::chrono_literals;

constexpr int guaranteed_ranks = 3;

std::vector<tensor_spec> small_qkv(int degree) {
  const head_layout layout(
      {1, even_shares(16 * degree, degree), 2 * degree, 2 * degree, 32, element_type::bf16});
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

/// Runs `program` on every rank of a group, each on a device with what `defect_of` says of it.
/// Returns the wrong bytes that all checks found.
std::int64_t wrong_bytes(const std::function<defects(int rank)>& defect_of,
                         const std::function<void(int rank, exchange_rig&)>& program,
                         direct_options options) {
  std::atomic<std::int64_t> wrong = 0;
  run_thread_ranks(guaranteed_ranks, [&](thread_group& ranks) {
    ranks.set_timeout(1500ms);
    host_device host;
    faulty_device on(host, defect_of(ranks.rank()));
    contract_site site{ranks, on, element_type::bf16,
                       [&] { return std::make_unique<direct_exchanger>(ranks, on, options); }};
    exchange_rig rig(site, small_qkv(ranks.size()));
    program(ranks.rank(), rig);
    wrong = rig.mismatched_bytes();
  });
  return wrong;
}

bool one_of_five_goes_wrong(const std::function<defects(int rank)>& defect_of,
                            const std::function<void(int rank, exchange_rig&)>& program,
                            direct_options options) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (wrong_bytes(defect_of, program, options) > 0) return true;
  }
  return false;
}

/// An exchanger under test, by what is not as usual.
struct way {
  const char* name;
  direct_options options;
};

void PrintTo(const way& which, std::ostream* to) { *to << which.name; }

constexpr way by_copies{"copy_engine", {}};
constexpr way by_push_kernels{"push_kernel", {.moves = mover::push_kernel}};
constexpr way by_push_exchange{"push_exchange", {.moves = mover::push_exchange}};
constexpr way in_lanes{"lanes", {.lanes = 2}};
constexpr way paced{"paced", {.order = peer_order::paced}};
constexpr way per_tensor{"per_tensor", {.arrivals = arrival_scope::per_tensor}};
constexpr way by_kernel_signals{"kernel_signals", {.signals = signal_kind::kernel}};
constexpr way packed{"packed", {.source = copy_source::packed}};
constexpr way own_behind{"own_behind", {.own = own_chunk_way::copy_stream}};
constexpr way own_by_kernel{"own_kernel", {.own = own_chunk_way::kernel}};

const auto every_way =
    testing::Values(by_copies, by_push_kernels, by_push_exchange, in_lanes, paced, per_tensor,
                    by_kernel_signals, packed, own_behind, own_by_kernel);
const auto every_way_unpaced =
    testing::Values(by_copies, by_push_kernels, by_push_exchange, in_lanes, per_tensor,
                    by_kernel_signals, packed, own_behind, own_by_kernel);
const auto every_way_by_streams =
    testing::Values(by_copies, by_push_kernels, in_lanes, paced, per_tensor, by_kernel_signals,
                    packed, own_behind, own_by_kernel);

class each_way : public testing::TestWithParam<way> {
 protected:
  // As the functions above, by the way of the test.
  static std::int64_t wrong(const std::function<defects(int rank)>& defect_of,
                            const std::function<void(int rank, exchange_rig&)>& program,
                            target_reuse reuse = target_reuse::handshake) {
    return wrong_bytes(defect_of, program, by(reuse));
  }
  static bool goes_wrong(const std::function<defects(int rank)>& defect_of,
                         const std::function<void(int rank, exchange_rig&)>& program,
                         target_reuse reuse = target_reuse::handshake) {
    return one_of_five_goes_wrong(defect_of, program, by(reuse));
  }
  static direct_options by(target_reuse reuse) {
    direct_options options = GetParam().options;
    options.reuse = reuse;
    return options;
  }
};

std::string way_name(const testing::TestParamInfo<way>& info) { return info.param.name; }

std::function<defects(int)> everywhere(fault broken) {
  return [broken](int) { return defects{.broken = broken}; };
}

// 1. Source. A push exchange has no mechanism to take out here: it is one kernel on the caller's
// own stream, behind whatever made the source and before whatever overwrites it.

class source : public each_way {};
class source_without : public each_way {};
INSTANTIATE_TEST_SUITE_P(of, source, every_way, way_name);
INSTANTIATE_TEST_SUITE_P(of, source_without, every_way_by_streams, way_name);

void late_source(int, exchange_rig& rig) { rig.exchange(1, {.before_submit = 30ms}); }

TEST_P(source, is_not_read_before_it_is_ready) {
  EXPECT_EQ(wrong(everywhere(fault::none), late_source), 0);
}

TEST_P(source_without, control_read_before_it_is_ready) {
  EXPECT_TRUE(goes_wrong(everywhere(fault::no_source_wait), late_source));
}

void overwritten_source(int, exchange_rig& rig) {
  rig.exchange(1);
  rig.exchange(2);  // fills the sources at once
}

/// Rank 0 is slow to send: it has everything of its peers long before they have its bytes.
std::function<defects(int)> slow_copies_on_rank_0(fault broken) {
  return [broken](int rank) {
    return defects{.broken = broken, .copy_delay = rank == 0 ? 20ms : 0ms};
  };
}

TEST_P(source, may_be_overwritten_after_wait) {
  EXPECT_EQ(wrong(slow_copies_on_rank_0(fault::none), overwritten_source), 0);
}

TEST_P(source_without, control_overwritten_while_it_is_sent) {
  EXPECT_TRUE(goes_wrong(slow_copies_on_rank_0(fault::no_sent_wait), overwritten_source));
}

// 2. Arrival.

class arrival : public each_way {};
INSTANTIATE_TEST_SUITE_P(of, arrival, every_way, way_name);

void late_peer(int rank, exchange_rig& rig) {
  rig.exchange(1, {.before_submit = rank == 1 ? 30ms : 0ms});
}

TEST_P(arrival, is_waited_for) { EXPECT_EQ(wrong(everywhere(fault::none), late_peer), 0); }

TEST_P(arrival, control_not_waited_for) {
  EXPECT_TRUE(goes_wrong(everywhere(fault::no_arrival_wait), late_peer));
}

void one_exchange(int, exchange_rig& rig) { rig.exchange(1); }

TEST_P(arrival, is_announced_when_it_has_happened) {
  EXPECT_EQ(wrong(slow_copies_on_rank_0(fault::none), one_exchange), 0);
}

/// In paced order a step's own signal comes between its copies and what announces them.
class arrival_unpaced : public each_way {};
INSTANTIATE_TEST_SUITE_P(of, arrival_unpaced, every_way_unpaced, way_name);

TEST_P(arrival_unpaced, control_announced_before_it_happens) {
  EXPECT_TRUE(goes_wrong(slow_copies_on_rank_0(fault::signal_before_copy), one_exchange));
}

// 3. Reuse.

class reuse : public each_way {};
INSTANTIATE_TEST_SUITE_P(of, reuse, every_way, way_name);

void slow_reader(int rank, exchange_rig& rig) {
  rig.exchange(1, {.before_check = rank == 1 ? 40ms : 0ms});
  rig.exchange(2);
}

TEST_P(reuse, waits_for_a_slow_reader) {
  EXPECT_EQ(wrong(everywhere(fault::none), slow_reader), 0);
}

TEST_P(reuse, control_overruns_a_slow_reader) {
  EXPECT_TRUE(goes_wrong(everywhere(fault::no_release_wait), slow_reader));
}

/// Reads on a stream of its own, and is slow the first time: what follows is sent meanwhile.
void slow_reader_apart(int rank, exchange_rig& rig) {
  for (std::uint64_t iteration = 1; iteration <= 3; ++iteration) {
    const bool slow = rank == 1 && iteration == 1;
    rig.exchange(iteration, {.before_check = slow ? 40ms : 0ms}, {}, {.fill = 0, .read = 1});
  }
}

TEST_P(reuse, by_n_buffers_waits_for_a_slow_reader) {
  if (const auto reason = why_not_combined(by(target_reuse::n_buffers)); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  EXPECT_EQ(wrong(everywhere(fault::none), slow_reader_apart, target_reuse::n_buffers), 0);
}

class reuse_by_streams : public each_way {};
INSTANTIATE_TEST_SUITE_P(of, reuse_by_streams, every_way_by_streams, way_name);

TEST_P(reuse_by_streams, control_n_buffers_overrun_a_slow_reader) {
  if (const auto reason = why_not_combined(by(target_reuse::n_buffers)); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  EXPECT_TRUE(
      goes_wrong(everywhere(fault::no_reader_wait), slow_reader_apart, target_reuse::n_buffers));
}

TEST_P(reuse, control_external_leaves_it_to_the_caller) {
  EXPECT_TRUE(goes_wrong(everywhere(fault::none), slow_reader, target_reuse::external));
}

// 4. Progress. A reader is held between its signals and its wait while its peers go on; nothing but
// the comparison decides whether it still sees theirs. A push exchange is held within its kernel.

class progress : public each_way {};
INSTANTIATE_TEST_SUITE_P(of, progress, every_way, way_name);

void overtaken_waiter(int rank, exchange_rig& rig) {
  rig.exchange(1, {.between_tags = rank == 1 ? 30ms : 0ms});
  rig.exchange(2);
  rig.finish();
}

std::function<defects(int)> held_on_rank_1(fault broken) {
  return [broken](int rank) {
    return defects{.broken = broken, .delay_before_last = rank == 1 ? 30ms : 0ms};
  };
}

TEST_P(progress, a_wait_that_was_overtaken_ends) {
  EXPECT_NO_THROW(wrong(held_on_rank_1(fault::none), overtaken_waiter, target_reuse::external));
}

/// In paced order nobody comes so far ahead.
class progress_unpaced : public each_way {};
INSTANTIATE_TEST_SUITE_P(of, progress_unpaced, every_way_unpaced, way_name);

TEST_P(progress_unpaced, control_waiting_for_equality_hangs) {
  EXPECT_THROW(
      wrong(held_on_rank_1(fault::equality_wait), overtaken_waiter, target_reuse::external),
      exchange_broken);
}

// 5. Agreement.

class agreement : public each_way {};
INSTANTIATE_TEST_SUITE_P(of, agreement, every_way, way_name);

TEST_P(agreement, one_rank_without_memory_stops_all) {
  std::mutex mutex;
  std::set<std::string> reasons;
  int refused = 0;
  run_thread_ranks(guaranteed_ranks, [&](thread_group& ranks) {
    ranks.set_timeout(1500ms);
    host_device host;
    faulty_device on(host, {.no_memory = ranks.rank() == 1});
    direct_exchanger transport(ranks, on, GetParam().options);
    try {
      transport.prepare(small_qkv(ranks.size()));
    } catch (const not_eligible& reason) {
      const std::lock_guard lock(mutex);
      reasons.insert(reason.what());
      ++refused;
    }
  });
  EXPECT_EQ(refused, guaranteed_ranks);
  EXPECT_THAT(reasons, testing::ElementsAre("rank 1: the device is out of memory"));
}

TEST_P(agreement, a_rank_that_stays_away_is_named) {
  std::mutex mutex;
  std::vector<std::string> said;
  run_thread_ranks(guaranteed_ranks, [&](thread_group& ranks) {
    ranks.set_timeout(400ms);
    host_device on;
    contract_site site{ranks, on, element_type::bf16, [&] {
                         return std::make_unique<direct_exchanger>(ranks, on, GetParam().options);
                       }};
    exchange_rig rig(site, small_qkv(ranks.size()));
    if (ranks.rank() == 2) return;
    try {
      rig.exchange(1);
      rig.finish();
    } catch (const exchange_broken& failure) {
      const std::lock_guard lock(mutex);
      said.push_back(failure.what());
    }
  });
  EXPECT_THAT(said, testing::SizeIs(guaranteed_ranks - 1));
  EXPECT_THAT(said, testing::Each(testing::AnyOf(
                        testing::HasSubstr("rank 2 has not delivered epoch 1 (tags"),
                        testing::HasSubstr("rank 2 has not delivered tag v of epoch 1;"))));
}

TEST(agreement, a_rank_whose_step_has_not_come_is_named) {
  std::mutex mutex;
  std::vector<std::string> said(guaranteed_ranks);
  run_thread_ranks(guaranteed_ranks, [&](thread_group& ranks) {
    ranks.set_timeout(400ms);
    host_device on;
    contract_site site{ranks, on, element_type::bf16, [&] {
                         return std::make_unique<direct_exchanger>(
                             ranks, on, direct_options{.order = peer_order::paced});
                       }};
    exchange_rig rig(site, small_qkv(ranks.size()));
    rig.exchange(1);
    rig.finish();
    ranks.barrier();
    if (ranks.rank() == 2) return;
    try {
      rig.exchange(2);
      rig.finish();
    } catch (const exchange_broken& failure) {
      const std::lock_guard lock(mutex);
      said[static_cast<std::size_t>(ranks.rank())] = failure.what();
    }
  });
  // Rank 0 has done all of v by then; rank 1 sends to where rank 2 should have.
  EXPECT_THAT(said[0], testing::HasSubstr("rank 2 has not finished step 2 of tag v of epoch 2"));
  EXPECT_THAT(said[1], testing::HasSubstr("rank 2 has not finished step 1 of tag v of epoch 2"));
}

// Every round. Bytes that were wrong for one round are gone in the next: who looks at the last
// round only sees nothing.

TEST(every_round, control_a_torn_one_is_seen_behind_right_ones) {
  std::atomic<std::int64_t> wrong_in_last = 0;
  const auto torn_once = [&](int rank, exchange_rig& rig) {
    slow_reader(rank, rig);
    rig.finish();
    std::int64_t wrong_before = 0;
    for (std::uint64_t round = 3; round <= 6; ++round) {
      wrong_before = rig.mismatched_bytes();  // all ranks meet here: these rounds are right
      rig.exchange(round);
    }
    const std::int64_t wrong_since = rig.mismatched_bytes() - wrong_before;
    if (rank == 0) wrong_in_last = wrong_since;
  };
  EXPECT_TRUE(one_of_five_goes_wrong(everywhere(fault::none), torn_once,
                                     {.reuse = target_reuse::external}));
  EXPECT_EQ(wrong_in_last, 0);
}

}  // namespace
}  // namespace ithaca::validation
