// Exchanges beside computations, of threads as ranks on the host device.

#include <gtest/gtest.h>

#include <atomic>

#include "backend/direct_exchanger.hpp"
#include "backend/host/host_device.hpp"
#include "backend/threads/thread_group.hpp"
#include "bench/interference/interference_sampler.hpp"
#include "bench/stage/idle_exchanger.hpp"
#include "bench/stage/prepared_stage.hpp"
#include "validation/unit/hang_limit.hpp"
#include "validation/unit/needs_products.hpp"

namespace ithaca::bench {
namespace {

shape small() {
  shape made;
  made.name = "small";
  made.tokens = 24;
  made.heads = made.kv_heads = 4;
  made.head_dim = 32;
  made.hidden = 64;
  made.qk_norm = "per-head RMSNorm";
  return made;
}

struct seen {
  std::int64_t wrong_bytes = 0;
  repetitions timed = {};
};

/// What two ranks find in four samples of each kind.
seen samples_of(beside what, bool exchanges) {
  seen result;
  std::atomic<std::int64_t> wrong = 0;
  run_thread_ranks(2, [&](thread_group& ranks) {
    ranks.set_timeout(std::chrono::duration_cast<std::chrono::milliseconds>(hang_limit));
    host_device on;
    const scenario of{{small(), true}, element_type::bf16, 2};
    const stage_sizes sizes(of);
    stage_workload load(on, sizes, ranks.rank(), {0, 1}, kernels::rope_style::neox);
    const index_range rows{0, sizes.rows(ranks.rank())};
    load.project({0, sizes.all_heads()}, rows, 0, {});
    for (const qkv_tensor tensor : {qkv_tensor::q, qkv_tensor::k}) {
      load.normalise(tensor, {0, sizes.heads(tensor)}, rows, 0, {});
    }
    std::unique_ptr<exchanger> transport;
    if (exchanges)
      transport = std::make_unique<direct_exchanger>(ranks, on);
    else
      transport = std::make_unique<idle_exchanger>(on);
    transport->prepare(sizes.specs(1, own_chunk::copied));
    start_gate gate(ranks, ranks, on);
    std::int64_t computations = 3;
    interference_sampler sampled(ranks, ranks, gate, *transport, load, what, computations, true);
    sampled.warm_up(0);
    load.reset_findings();
    for (int sample = 0; sample < 4; ++sample) {
      for (const auto mode : {exchange_mode::isolated, exchange_mode::communication_only,
                              exchange_mode::exchange_beside, exchange_mode::compute_only}) {
        sampled.take(mode, 0);
      }
    }
    EXPECT_EQ(sampled.allocations(), 0u);
    EXPECT_EQ(sampled.collectives(), 0u);
    EXPECT_EQ(sampled.exchanges_in(exchange_mode::compute_only), 0);
    wrong += static_cast<std::int64_t>(load.findings().mismatched_bytes);
    if (ranks.rank() == 0) result.timed = sampled.timed();
    ranks.barrier();
  });
  result.wrong_bytes = wrong;
  return result;
}

class interference : public needs_products {};

TEST_F(interference, brings_the_bytes_whatever_is_computed) {
  for (const beside what : all_beside) {
    const seen found = samples_of(what, true);
    EXPECT_EQ(found.wrong_bytes, 0) << to_string(what);
    EXPECT_EQ(found.timed.computations, 3) << "as the first sampler found out";
    EXPECT_GT(found.timed.exchanges, 0);
  }
}

TEST_F(interference, control_without_an_exchange_is_seen) {
  // Both ranks' targets, in the three kinds of samples that exchange.
  EXPECT_EQ(samples_of(beside::norm, false).wrong_bytes, 4 * 3 * 24 * 3 * 4 * 32 * 2);
}

}  // namespace
}  // namespace ithaca::bench
