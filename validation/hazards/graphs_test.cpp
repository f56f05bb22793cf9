// Captured exchanges: what lets them be replayed, and what happens without it.

#include <gtest/gtest.h>

#include <mutex>

#include "backend/direct_exchanger.hpp"
#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/contract/graph_replays.hpp"
#include "validation/hazards/faulty_device.hpp"

namespace ithaca::validation {
namespace {

using namespace std::chrono_literals;

/// What is wrong with the bytes, or with the exchange, of some replays.
std::string wrong(direct_options options, fault broken,
                  between_replays beside = between_replays::eager_exchanges) {
  std::mutex mutex;
  std::string said;
  run_thread_ranks(3, [&](thread_group& ranks) {
    ranks.set_timeout(1500ms);
    host_device host;
    faulty_device on(host, {.broken = broken});
    contract_site site{ranks, on, element_type::bf16,
                       [&] { return std::make_unique<direct_exchanger>(ranks, on, options); }};
    std::string mine;
    try {
      mine = graph_replays(site, 60, beside);
    } catch (const exchange_broken& failure) {
      mine = failure.what();
    }
    const std::lock_guard lock(mutex);
    if (!mine.empty()) said = mine;
  });
  return said;
}

TEST(graphs, flags_are_replayed) {
  EXPECT_EQ(wrong({.words = signal_words::flags}, fault::none), "");
}

TEST(graphs, control_flags_that_stay_up) {
  EXPECT_NE(wrong({.words = signal_words::flags}, fault::flags_stay_up), "");
}

TEST(graphs, control_epochs_baked_into_a_graph) {
  EXPECT_NE(wrong({}, fault::hidden_capture, between_replays::nothing), "");
}

TEST(graphs, epochs_refuse_a_capture) { EXPECT_THROW(wrong({}, fault::none), invalid_use); }

TEST(graphs, tags_in_another_company_are_refused) {
  run_thread_ranks(2, [&](thread_group& ranks) {
    host_device on;
    const head_layout layout({1, even_shares(8, 2), 2, 2, 16, element_type::bf16});
    contract_site site{ranks, on, element_type::bf16, [&] {
                         return std::make_unique<direct_exchanger>(
                             ranks, on, direct_options{.words = signal_words::flags});
                       }};
    exchange_rig rig(site, {{"q", {layout, head_set::query, direction::scatter}},
                            {"k", {layout, head_set::kv, direction::scatter}}});
    rig.exchange(1);
    EXPECT_THROW(rig.exchange(2, {}, {1}), invalid_use);
    rig.exchange(3);
    EXPECT_EQ(rig.mismatched_bytes(), 0);
  });
}

TEST(graphs, an_exchange_is_not_half_captured) {
  run_thread_ranks(2, [&](thread_group& ranks) {
    host_device on;
    const head_layout layout({1, even_shares(8, 2), 2, 2, 16, element_type::bf16});
    contract_site site{ranks, on, element_type::bf16, [&] {
                         return std::make_unique<direct_exchanger>(
                             ranks, on, direct_options{.words = signal_words::flags});
                       }};
    exchange_rig rig(site, {{"q", {layout, head_set::query, direction::scatter}}});
    rig.exchange(1);
    rig.load().fill(rig.compute(), 2);
    rig.transport().submit("q", rig.load().whole(0), rig.load().source(0, 0), rig.compute(),
                           submit_order::last);
    rig.compute().begin_capture();
    EXPECT_THROW(rig.transport().wait("q", rig.compute()), invalid_use);
    EXPECT_NE(rig.compute().end_capture(), nullptr);
    rig.transport().wait("q", rig.compute());
    rig.transport().release("q", rig.compute());
    EXPECT_EQ(rig.mismatched_bytes(), 0);
  });
}

}  // namespace
}  // namespace ithaca::validation
