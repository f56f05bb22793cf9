// What ranks do that are, or seem to be, on several hosts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "backend/direct_exchanger.hpp"
#include "backend/errors.hpp"
#include "backend/host/host_event.hpp"
#include "bench/clock_offsets.hpp"
#include "bench/host_site.hpp"
#include "bench/link_probe.hpp"
#include "bench/ways_taken.hpp"
#include "validation/hazards/borrowed_group.hpp"
#include "validation/unit/hang_limit.hpp"

namespace ithaca::validation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int ranks_on_hosts = 4;

/// Four ranks of which the even ones are on one host and the odd ones on another.
void on_two_hosts(const std::function<void(group& world, const bench::group_splitter&)>& program) {
  std::array<std::shared_ptr<thread_meeting>, 2> meetings;
  for (auto& each : meetings) each = std::make_shared<thread_meeting>(ranks_on_hosts / 2);
  run_thread_ranks(ranks_on_hosts, [&](thread_group& ranks) {
    borrowed_group world(ranks, kinship::threads, ranks.rank() % 2 == 0 ? "even" : "odd");
    world.set_timeout(hang_limit);
    program(world, [&](int color, int key) {
      return std::make_unique<thread_group>(meetings.at(static_cast<std::size_t>(color)), key / 2);
    });
  });
}

std::string refusal_of(const std::function<void()>& step) {
  try {
    step();
  } catch (const not_eligible& refusal) {
    return refusal.what();
  }
  return "was not refused";
}

TEST(hosts, are_numbered_in_the_order_of_their_lowest_ranks) {
  on_two_hosts([](group& world, const auto&) {
    EXPECT_THAT(world.hosts(), ElementsAre(0, 1, 0, 1));
    EXPECT_EQ(world.why_not_one_host(), "the ranks are on 2 different hosts");
    const std::uint64_t collectives = world.collective_count();
    world.hosts();
    EXPECT_EQ(world.collective_count(), collectives) << "asked twice";
  });
  run_thread_ranks(2, [](thread_group& ranks) {
    EXPECT_THAT(ranks.hosts(), ElementsAre(0, 0));
    EXPECT_EQ(ranks.why_not_one_host(), "");
  });
}

TEST(hosts, hand_each_other_no_memory) {
  on_two_hosts([](group& world, const auto&) {
    EXPECT_EQ(refusal_of([&] { world.all_gather_descriptors({}); }), world.why_not_one_host());
    host_device on;
    direct_exchanger exchange(world, on);
    const head_layout layout({1, even_shares(16, ranks_on_hosts), 4, 4, 16});
    const tensor_spec q{"q", {layout, head_set::query, direction::scatter}};
    EXPECT_EQ(refusal_of([&] { exchange.prepare(std::array{q}); }), world.why_not_one_host());
  });
}

TEST(host_site, has_the_ranks_of_this_host) {
  on_two_hosts([](group& world, const auto& split) {
    bench::host_site site(world, split);
    EXPECT_EQ(site.ranks().rank(), world.rank() / 2);
    const int host = world.rank() % 2;
    EXPECT_THAT(site.global_ranks(), ElementsAre(host, host + 2));
  });
}

TEST(start_gate, opens_on_every_host) {
  on_two_hosts([](group& world, const auto& split) {
    bench::host_site site(world, split);
    host_device on;
    bench::start_gate gate(world, site.ranks(), on);
    const auto line = on.create_stream("line", stream_priority::normal);
    for (int opening = 0; opening < 3; ++opening) {
      gate.hold(*line);
      world.barrier();
      EXPECT_FALSE(line->idle());
      gate.open();
      ASSERT_TRUE(line->synchronize(world.deadline())) << "rank " << world.rank();
    }
    world.barrier();
  });
}

TEST(link_probe, measures_the_pairs_of_each_host_only) {
  on_two_hosts([](group& world, const auto& split) {
    bench::host_site site(world, split);
    host_device on;
    bench::start_gate gate(world, site.ranks(), on);
    const reports::links found = bench::probe_links(world, site, on, gate);
    std::vector<std::pair<int, int>> pairs;
    for (const auto& each : found.ceilings) {
      pairs.emplace_back(each.source, each.target);
      EXPECT_GT(each.ceiling_gbps, 0);
    }
    using of = std::pair<int, int>;
    EXPECT_THAT(pairs, ElementsAre(of{0, 2}, of{1, 3}, of{2, 0}, of{3, 1}));
    EXPECT_GT(found.handshake_us.value_or(0), 0);
  });
}

TEST(clock_offsets, are_those_of_the_hosts) {
  constexpr std::int64_t hour_ns = 3'600'000'000'000;
  on_two_hosts([](group& world, const auto&) {
    const std::int64_t ahead_ns = world.rank() % 2 * hour_ns;
    const auto offsets = bench::clock_offsets_ns(world, [&] { return monotonic_ns() + ahead_ns; });
    ASSERT_EQ(offsets.size(), std::size_t{ranks_on_hosts});
    EXPECT_EQ(offsets[0], 0);
    EXPECT_EQ(offsets[2], 0) << "a rank of rank 0's host has its clock";
    EXPECT_EQ(offsets[1], offsets[3]);
    EXPECT_NEAR(static_cast<double>(offsets[1]), hour_ns, hour_ns / 60.0);
  });
  run_thread_ranks(2, [](thread_group& ranks) {
    const auto offsets = bench::clock_offsets_ns(ranks, [&] { return ranks.rank() * hour_ns; });
    EXPECT_THAT(offsets, ElementsAre(0, 0)) << "one host has one clock";
  });
}

TEST(ways_taken, names_the_ranks_where_they_differ) {
  EXPECT_EQ(bench::ways_taken({"a: why", "a: why"}), "a: why");
  EXPECT_EQ(bench::ways_taken({"a", "b", "a", "c"}), "ranks 0, 2: a | ranks 1: b | ranks 3: c");
}

}  // namespace
}  // namespace ithaca::validation
