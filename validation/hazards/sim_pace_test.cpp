// Paced order on simulated ranks: no schedule stands still, or lets two copies to one receiver be
// under way at once; without a step's signal, or waiting for exactly one, schedules do stand still.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "backend/direct_exchanger.hpp"
#include "backend/observer.hpp"
#include "backend/sim/simulate.hpp"
#include "validation/hazards/sim_stories.hpp"

namespace ithaca::validation {
namespace {

using sim::finding_kind;
using testing::AllOf;
using testing::HasSubstr;

constexpr direct_options paced{.order = peer_order::paced};

void exchanges_in_pieces(int rank, exchange_rig& rig) {
  three_exchanges(rank, rig);
  rig.exchange(4, {.pieces = 3});
  rig.exchange(5, {}, {2, 0});
}

class sim_pace : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(of, sim_pace, testing::Values(2, 3, 4, 8),
                         [](const auto& of) { return std::to_string(of.param) + "_ranks"; });

TEST_P(sim_pace, never_stands_still) {
  direct_options options = paced;
  for (const target_reuse reuse : {target_reuse::handshake, target_reuse::n_buffers}) {
    options.reuse = reuse;
    expect_no_finding(exchanges(options, fault::none, exchanges_in_pieces), GetParam());
  }
}

/// Fewer rows than ranks: some have nothing to send in any step.
TEST_P(sim_pace, counts_steps_without_bytes) {
  expect_no_finding(
      [](group& ranks, device& on) {
        const int degree = ranks.size();
        const head_layout layout(
            {1, even_shares(degree - 1, degree), degree, degree, 32, element_type::bf16});
        contract_site site{ranks, on, element_type::bf16,
                           [&] { return std::make_unique<direct_exchanger>(ranks, on, paced); }};
        exchange_rig rig(site, {{"v", {layout, head_set::kv, direction::scatter}},
                                {"o", {layout, head_set::query, direction::gather}}});
        three_exchanges(ranks.rank(), rig);
        rig.finish();
        ranks.barrier();
      },
      GetParam());
}

/// Each with streams and steps of its own.
TEST_P(sim_pace, of_two_exchangers_in_flight_never_stands_still) {
  if (GetParam() > 4) GTEST_SKIP() << "more streams than a simulation tells apart";
  expect_no_finding(
      [](group& ranks, device& on) {
        contract_site site{ranks, on, element_type::bf16,
                           [&] { return std::make_unique<direct_exchanger>(ranks, on, paced); }};
        exchange_rig one(site, small_qkv(ranks.size())), other(site, small_qkv(ranks.size()));
        for (std::uint64_t iteration = 1; iteration <= 3; ++iteration) {
          one.exchange(iteration);
          other.exchange(iteration);
        }
        one.finish();
        other.finish();
        ranks.barrier();
      },
      GetParam());
}

// ---- what it is for -----------------------------------------------------------------------------

struct interval {
  int receiver;
  std::int64_t begin_ns, end_ns;
};

/// Of the copies to peers.
class receiving final : public observer {
 public:
  receiving(int rank, std::vector<interval>& into) : rank_(rank), into_(into) {}
  void enqueuing(const operation&) override {}
  void enqueued(const operation&) override {}
  void executed(const operation& op, std::int64_t begin_ns, std::int64_t end_ns) override {
    if (op.kind == operation_kind::copy && op.peer != rank_) {
      into_.push_back({op.peer, begin_ns, end_ns});
    }
  }

 private:
  int rank_;
  std::vector<interval>& into_;
};

/// Pairs of copies, over all schedules, that go to one receiver at the same time.
int collisions(direct_options options, int ranks) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= schedules; ++seed) {
    std::vector<interval> copies;
    sim::simulate({.ranks = ranks, .move_bytes = false}, seed, [&](group& world, device& on) {
      receiving seen(world.rank(), copies);
      contract_site site{world, on, element_type::bf16,
                         [&] { return std::make_unique<direct_exchanger>(world, on, options); }};
      exchange_rig rig(site, small_qkv(world.size()));
      on.observe(&seen);
      three_exchanges(world.rank(), rig);
      rig.finish();
      on.observe(nullptr);
      world.barrier();
    });
    for (std::size_t a = 0; a < copies.size(); ++a) {
      for (std::size_t b = a + 1; b < copies.size(); ++b) {
        found += copies[a].receiver == copies[b].receiver &&
                 copies[a].begin_ns < copies[b].end_ns && copies[b].begin_ns < copies[a].end_ns;
      }
    }
    EXPECT_EQ(copies.size(), static_cast<std::size_t>(9 * ranks * (ranks - 1)));
  }
  return found;
}

TEST_P(sim_pace, keeps_copies_apart_at_their_receivers) {
  EXPECT_EQ(collisions(paced, GetParam()), 0);
}

TEST(sim_pace_without, control_copies_that_are_not_paced_meet_at_their_receivers) {
  EXPECT_GT(collisions({}, simulated_ranks), 0);
}

// ---- its mechanism ------------------------------------------------------------------------------

TEST(sim_pace_without, control_a_step_is_not_told) {
  const auto told =
      stories(finding_kind::deadlock, exchanges(paced, fault::no_pace_write, three_exchanges));
  EXPECT_THAT(told, testing::SizeIs(schedules));
  EXPECT_THAT(told, testing::Each(AllOf(HasSubstr("wait_value of v from rank 1 in exchange 1"),
                                        HasSubstr("on rank 0's stream \"copy\""),
                                        HasSubstr("nobody has written it"))));
}

/// Nothing but steps is awaited on the copy stream: reuse is left to the caller. The more ranks,
/// the further a neighbour can be ahead.
TEST(sim_pace_without, control_a_step_is_awaited_for_equality) {
  direct_options options = paced;
  options.reuse = target_reuse::external;
  const auto told = stories(finding_kind::deadlock,
                            exchanges(options, fault::equality_wait,
                                      [](int, exchange_rig& rig) {
                                        for (std::uint64_t i = 1; i <= 12; ++i) rig.exchange(i);
                                      }),
                            8);
  EXPECT_THAT(told,
              testing::Contains(AllOf(HasSubstr("stream \"copy\": wait_for_equality of v from"),
                                      HasSubstr("to be exactly 1; it holds"))));
}

}  // namespace
}  // namespace ithaca::validation
