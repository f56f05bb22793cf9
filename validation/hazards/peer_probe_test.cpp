// Paths to peers that are reported and do not work: what the probe says, what the group falls back
// to, and what would have come of it without.

#include "backend/peer_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <vector>

#include "backend/communicator.hpp"
#include "backend/direct_exchanger.hpp"
#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "backend/packed_exchanger.hpp"
#include "bench/link_probe.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/hazards/borrowed_group.hpp"
#include "validation/hazards/faulty_device.hpp"
#include "validation/hazards/meeting_transport.hpp"
#include "validation/hazards/q_and_k.hpp"

namespace ithaca::validation {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

constexpr int rank_count = 3;

/// What three ranks find, of which rank 1 has the defects; the same on all.
probed_peers probed(defects of_rank_1, kinship as = kinship::threads) {
  std::vector<probed_peers> found(rank_count);
  run_thread_ranks(rank_count, [&](thread_group& threads) {
    borrowed_group ranks(threads, as);
    host_device host;
    faulty_device on(host, ranks.rank() == 1 ? of_rank_1 : defects{});
    const auto how = as == kinship::threads ? memory_sharing::descriptor : memory_sharing::handle;
    found[static_cast<std::size_t>(ranks.rank())] = probe_peers(ranks, on, how);
  });
  for (const probed_peers& each : found) {
    EXPECT_EQ(each.why_not(&probed_pair::copy), found[0].why_not(&probed_pair::copy));
    EXPECT_EQ(each.why_not(&probed_pair::mapping), found[0].why_not(&probed_pair::mapping));
  }
  return found[0];
}

/// Looks at every pair: those that rank 1 writes have `reason`, the others none.
void expect_of_rank_1(const probed_peers& found, std::string probed_pair::*what,
                      const std::string& reason) {
  EXPECT_EQ(found.pairs.size(), std::size_t{rank_count * (rank_count - 1)});
  for (const probed_pair& each : found.pairs) {
    EXPECT_EQ(each.*what, each.source == 1 ? reason : "") << each.source << " to " << each.target;
  }
}

constexpr auto all_steps = {&probed_pair::mapping, &probed_pair::copy, &probed_pair::stream_write,
                            &probed_pair::staged_copy};

TEST(peer_probe, finds_nothing_wrong_where_nothing_is) {
  for (const kinship as : {kinship::threads, kinship::processes}) {
    const probed_peers found = probed({}, as);
    for (const auto step : all_steps) expect_of_rank_1(found, step, "");
    EXPECT_EQ(found.why_not(&probed_pair::copy), "");
  }
}

TEST(peer_probe, sees_copies_that_vanish) {
  const probed_peers found = probed({.loses_copies = true});
  const std::string lost = "4096 of 4096 copied bytes did not arrive";
  expect_of_rank_1(found, &probed_pair::copy, lost);
  expect_of_rank_1(found, &probed_pair::staged_copy, "the signal did not arrive");
  expect_of_rank_1(found, &probed_pair::stream_write, "");
  EXPECT_EQ(found.why_not(&probed_pair::copy),
            "from rank 1 to rank 0: " + lost + " (and 1 more of 6 pairs)");
}

TEST(peer_probe, sees_stream_writes_that_vanish) {
  const probed_peers found = probed({.loses_stream_writes = true});
  expect_of_rank_1(found, &probed_pair::stream_write, "the signal did not arrive");
  expect_of_rank_1(found, &probed_pair::copy, "");
  expect_of_rank_1(found, &probed_pair::staged_copy, "");
}

TEST(peer_probe, sees_stream_writes_that_are_refused) {
  const probed_peers found = probed({.refuses_stream_writes = true});
  expect_of_rank_1(found, &probed_pair::stream_write, "no stream writes into peers");
  expect_of_rank_1(found, &probed_pair::staged_copy, "");
}

TEST(peer_probe, sees_memory_that_can_not_be_mapped) {
  const probed_peers found = probed({.no_import = true}, kinship::processes);
  for (const auto step : all_steps) {
    expect_of_rank_1(found, step, "the device can't map a peer's memory");
  }
}

TEST(peer_probe, without_memory_is_refused_on_all) {
  std::atomic<int> refused = 0;
  run_thread_ranks(rank_count, [&](thread_group& ranks) {
    host_device host;
    faulty_device on(host, {.no_memory = ranks.rank() == 1});
    try {
      probe_peers(ranks, on, memory_sharing::descriptor);
    } catch (const not_eligible&) {
      ++refused;
    }
  });
  EXPECT_EQ(refused, rank_count);
}

/// What the links of three ranks of one host come to, of which rank 1 has the defects.
reports::links links_with(defects of_rank_1) {
  std::vector<reports::links> found(rank_count);
  run_thread_ranks(rank_count, [&](thread_group& ranks) {
    host_device inner;
    faulty_device on(inner, ranks.rank() == 1 ? of_rank_1 : defects{});
    bench::host_site host(
        ranks, [&](int, int) { return std::make_unique<borrowed_group>(ranks, kinship::threads); });
    bench::start_gate gate(ranks, ranks, on);
    bench::link_probe probe(ranks, host, on, gate);
    reports::links& mine = found[static_cast<std::size_t>(ranks.rank())];
    mine = {probe.ceilings(), probe.handshake_us()};
    const std::size_t pairs = probe.pair_handshakes().size();
    EXPECT_EQ(pairs, mine.handshake_us ? 3u : 1u) << "only 0 and 2 can signal each other";
    ranks.barrier();
  });
  EXPECT_EQ(found[0], found[1]);
  return found[0];
}

TEST(link_probe, measures_no_path_that_does_not_work) {
  const reports::links all = links_with({});
  EXPECT_EQ(all.ceilings.size(), 6u);
  EXPECT_TRUE(all.handshake_us);
  const reports::links no_signals = links_with({.loses_stream_writes = true});
  EXPECT_EQ(no_signals.ceilings.size(), 6u);
  EXPECT_FALSE(no_signals.handshake_us);
  for (const reports::pair_ceiling& each :
       links_with({.loses_copies = true, .loses_stream_writes = true}).ceilings) {
    EXPECT_NE(each.source, 1);
  }
}

// Streams are as deep as a GPU's: what does not fit behind the closed gate would never be enqueued.
TEST(link_probe, enqueues_no_more_than_a_stream_takes) {
  constexpr int many = 6;
  run_thread_ranks(many, [&](thread_group& ranks) {
    host_device on;
    bench::host_site host(
        ranks, [&](int, int) { return std::make_unique<borrowed_group>(ranks, kinship::threads); });
    bench::start_gate gate(ranks, ranks, on);
    bench::link_probe probe(ranks, host, on, gate);
    EXPECT_GT(probe.handshake_us().value_or(0), 0);
    ranks.barrier();
  });
}

/// What a group came to: the same on every rank.
struct outcome_of_exchanges {
  exchange_way way;
  std::int64_t mismatched_bytes = 0;
};

/// Some exchanges of three ranks, of which rank 1 has the defects.
outcome_of_exchanges exchanged(
    defects of_rank_1, const std::function<std::unique_ptr<exchanger>(group&, device&)>& make) {
  std::vector<outcome_of_exchanges> all(rank_count);
  run_thread_ranks(rank_count, [&](thread_group& ranks) {
    ranks.set_timeout(1500ms);
    host_device host;
    faulty_device on(host, ranks.rank() == 1 ? of_rank_1 : defects{});
    contract_site site{ranks, on, element_type::bf16, [&] { return make(ranks, on); }};
    exchange_rig rig(site, q_and_k(ranks.size()));
    for (std::uint64_t iteration = 1; iteration <= 5; ++iteration) rig.exchange(iteration);
    const std::int64_t wrong = rig.mismatched_bytes();
    all[static_cast<std::size_t>(ranks.rank())] = {rig.transport().taken(), wrong};
  });
  for (const outcome_of_exchanges& each : all) EXPECT_EQ(each.way.why, all[0].way.why);
  return all[0];
}

std::unique_ptr<exchanger> probed_direct(group& ranks, device& on) {
  return std::make_unique<direct_exchanger>(ranks, on);
}

TEST(communicator, passes_over_a_path_that_loses_bytes) {
  const auto beside = std::make_shared<thread_meeting>(rank_count);
  const outcome_of_exchanges found =
      exchanged({.loses_copies = true}, [&](group& ranks, device& on) {
        std::vector<transport_choice> choices;
        choices.push_back({"direct", [&] { return probed_direct(ranks, on); }});
        choices.push_back({"packed", [&]() -> std::unique_ptr<exchanger> {
                             return std::make_unique<packed_exchanger>(
                                 ranks, on,
                                 std::make_unique<meeting_transport>(beside, ranks.rank(), false));
                           }});
        return std::make_unique<communicator>(ranks, std::move(choices));
      });
  EXPECT_EQ(found.way.name, "packed");
  EXPECT_THAT(found.way.why, HasSubstr("direct: from rank 1 to rank 0: 4096 of 4096 copied bytes"));
  EXPECT_EQ(found.mismatched_bytes, 0);
}

TEST(direct_exchanger, stages_its_signals_where_stream_writes_do_not_work) {
  for (const defects with :
       {defects{.loses_stream_writes = true}, defects{.refuses_stream_writes = true}}) {
    const outcome_of_exchanges found = exchanged(with, probed_direct);
    EXPECT_EQ(found.way.name, "copy-engine-staged");
    EXPECT_THAT(found.way.why, HasSubstr("no stream write from rank 1 to rank 0: "));
    EXPECT_EQ(found.mismatched_bytes, 0);
  }
  EXPECT_EQ(exchanged({}, probed_direct).way.name, "");
}

TEST(direct_exchanger, is_refused_where_no_signal_works) {
  EXPECT_THROW(exchanged({.loses_copies = true, .loses_stream_writes = true}, probed_direct),
               not_eligible);
}

TEST(direct_exchanger, control_brings_wrong_bytes_by_a_path_that_only_works_while_it_is_tried) {
  const outcome_of_exchanges found =
      exchanged({.loses_copies = true, .spares_probe = true}, probed_direct);
  EXPECT_GT(found.mismatched_bytes, 0);
}

TEST(direct_exchanger, control_waits_in_vain_for_signals_that_only_arrive_while_they_are_tried) {
  EXPECT_THROW(exchanged({.loses_stream_writes = true, .spares_probe = true}, probed_direct),
               exchange_broken);
}

}  // namespace
}  // namespace ithaca::validation
