// Stages of threads as ranks on the host device: whatever the schedule, what arrives is what the
// computation in one piece would bring; and the check would see it if not.

#include <gtest/gtest.h>

#include <atomic>

#include "backend/direct_exchanger.hpp"
#include "backend/host/host_device.hpp"
#include "backend/threads/thread_group.hpp"
#include "bench/stage/idle_exchanger.hpp"
#include "bench/stage/prepared_stage.hpp"
#include "bench/stage/stage_sampler.hpp"
#include "validation/unit/hang_limit.hpp"
#include "validation/unit/needs_products.hpp"

namespace ithaca::bench {
namespace {

shape small(const std::string& norm) {
  shape made;
  made.name = "small";
  made.batch = 2;
  made.tokens = 40;
  made.heads = 8;
  made.kv_heads = 4;
  made.head_dim = 32;
  made.hidden = 64;
  made.qk_norm = norm;
  return made;
}

struct trial {
  std::string schedule;
  std::string norm = "per-head RMSNorm";
  exchange_mode mode = exchange_mode::isolated;
  bool exchanges = true;
  bool tell_exchanger = true;  // who writes the own chunk
};

/// Wrong bytes that two ranks find in ten samples, and the bytes that a sample checks on each.
std::int64_t wrong_bytes(const trial& of) {
  if (!kernels::why_no_matmul_on_host().empty()) return -1;
  std::atomic<std::int64_t> wrong = 0;
  run_thread_ranks(2, [&](thread_group& ranks) {
    ranks.set_timeout(std::chrono::duration_cast<std::chrono::milliseconds>(hang_limit));
    host_device on;
    const scenario what{{small(of.norm), true}, element_type::bf16, 2};
    const stage_sizes sizes(what);
    const chosen_schedule by = parse_schedule(of.schedule);
    stage_workload load(on, sizes, ranks.rank(), {0, 1}, kernels::rope_style::neox);
    std::unique_ptr<exchanger> transport;
    if (of.exchanges)
      transport = std::make_unique<direct_exchanger>(ranks, on);
    else
      transport = std::make_unique<idle_exchanger>(on);
    transport->prepare(sizes.specs(by.what->head_parts,
                                   of.tell_exchanger ? by.settings.own : own_chunk::produced));
    start_gate gate(ranks, ranks, on);
    stage_sampler samples(ranks, ranks, gate, *transport, load, by, true);
    samples.warm_up(0);
    load.reset_findings();
    for (std::uint64_t iteration = 1; iteration <= 10; ++iteration) {
      samples.take(of.mode, iteration);
    }
    EXPECT_EQ(samples.allocations(), 0u);
    EXPECT_EQ(samples.collectives(), 0u);
    wrong += static_cast<std::int64_t>(load.findings().mismatched_bytes);
    ranks.barrier();
  });
  return wrong;
}

class stage : public needs_products {};

TEST_F(stage, every_schedule_brings_what_one_piece_would) {
  for (const std::string& schedule :
       {std::string("sequential"), std::string("sequential:own=produced"), std::string("v-first"),
        std::string("v-first:own=produced"), std::string("v-q-k"),
        std::string("v-q-k:own=produced"), std::string("chunked"),
        std::string("chunked:tensors=qkv:pieces=5:shrink=1"),
        std::string("chunked:tensors=qk:own=produced"), std::string("head-chunks")}) {
    for (const std::string& norm : {std::string("none"), std::string("per-head RMSNorm"),
                                    std::string("RMSNorm over hidden")}) {
      EXPECT_EQ(wrong_bytes({schedule, norm}), 0) << schedule << ", " << norm;
    }
  }
}

TEST_F(stage, without_computation_brings_the_same) {
  for (const char* schedule : {"sequential", "chunked:own=produced", "head-chunks"}) {
    EXPECT_EQ(wrong_bytes({.schedule = schedule, .mode = exchange_mode::communication_only}), 0)
        << schedule;
  }
}

TEST_F(stage, control_without_an_exchange_is_seen) {
  // All that comes from the peer, and with an own chunk that nobody copies that, too.
  const std::int64_t whole = 10 * 2 * 2 * 40 * (4 + 2 + 2) * 32 * 2;
  EXPECT_EQ(wrong_bytes({.schedule = "v-first", .exchanges = false}), whole);
  EXPECT_EQ(wrong_bytes({.schedule = "v-first:own=produced", .exchanges = false}), whole / 2);
}

TEST_F(stage, control_own_chunk_that_nobody_writes_is_seen) {
  EXPECT_GT(wrong_bytes({.schedule = "v-first", .tell_exchanger = false}), 0);
}

TEST_F(stage, control_contents_of_another_sample_are_seen) {
  run_thread_ranks(1, [](thread_group& alone) {
    host_device on;
    scenario what{{small("per-head RMSNorm"), true}, element_type::bf16, 2};
    const stage_sizes sizes(what);
    stage_workload load(on, sizes, alone.rank(), {0, 1}, kernels::rope_style::neox);
    idle_exchanger own(on);
    own.prepare(sizes.specs(1, own_chunk::produced));
    const chosen_schedule by = parse_schedule("sequential:own=produced");
    for (const std::int64_t checked_shift : {3, 4}) {
      stage_run run(load, own, by, 3);
      run.run();
      const target_view arrived = own.wait("v", load.compute());
      load.check(qkv_tensor::v, 0, 1, arrived, checked_shift);
      for (const char* tag : {"q", "k"}) own.wait(tag, load.compute());
      for (const char* tag : {"q", "k", "v"}) own.release(tag, load.compute());
      load.compute().synchronize(std::chrono::steady_clock::now() + hang_limit);
      const std::uint64_t half = 2u * 40 * 2 * 32 * 2 / 2;  // the peer's rows never come
      const std::uint64_t wrong = load.findings().mismatched_bytes;
      if (checked_shift == 3)
        EXPECT_LE(wrong, half);
      else
        EXPECT_GT(wrong, half + half / 2);
      load.reset_findings();
    }
  });
}

}  // namespace
}  // namespace ithaca::bench
