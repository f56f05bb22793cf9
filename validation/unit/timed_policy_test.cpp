#include "backend/sim/timed_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "backend/direct_exchanger.hpp"
#include "backend/sim/simulate.hpp"
#include "bench/fabric_file.hpp"
#include "bench/scenario.hpp"
#include "bench/start_gate.hpp"
#include "bench/workload.hpp"
#include "validation/unit/step_program.hpp"

namespace ithaca::sim {
namespace {

/// Round numbers, each of another size, so that a sum shows what is in it.
fabric_figures round_numbers() {
  fabric_figures figures;
  figures.port_gbps = 1;
  figures.lanes_gbps = 0.5;
  figures.local_copy_gbps = 2;
  figures.push_rates = {{32, 0.5}, {128, 1}};
  figures.first_copy_ns = 10'000;
  figures.next_copy_ns = 4'000;
  figures.local_copy_ns = 600;
  figures.kernel_ns = 300;
  figures.push_ns = 50;
  figures.event_ns = 20;
  figures.signal_write_ns = 5;
  figures.signal_flight_ns = 3'000;
  figures.signal_wait_ns = 7;
  return figures;
}

/// Runs on two ranks without moving bytes; throws what a rank threw.
void run_pair(const fabric_figures& figures, const std::function<void(group&, device&)>& program,
              std::uint64_t seed = 1) {
  timed_policy timed(figures, 2, {.seed = seed});
  const simulation_result result = simulate({.ranks = 2, .move_bytes = false}, timed, program);
  rethrow_failure(result);
  EXPECT_TRUE(result.findings.empty()) << result.findings.front().story;
}

/// What rank 0's stream takes for what `enqueue` puts on it.
std::int64_t taken_ns(
    const std::function<void(stream&, std::byte* mine, std::byte* theirs)>& enqueue) {
  std::int64_t taken = 0;
  run_pair(round_numbers(), [&](group& ranks, device& on) {
    const peer_memory both(ranks, on, on.allocate(4096));
    if (ranks.rank() == 0) {
      const auto line = on.create_stream("line", stream_priority::normal);
      const auto begin = on.create_event(event_timing::on);
      const auto end = on.create_event(event_timing::on);
      line->record(*begin);
      enqueue(*line, both.at(0), both.at(1));
      line->record(*end);
      EXPECT_TRUE(line->synchronize(ranks.deadline()));
      taken = end->elapsed_ns_since(*begin);
    }
    ranks.barrier();
  });
  return taken;
}

TEST(timed_policy, gives_a_first_and_a_further_copy_their_latencies) {
  EXPECT_EQ(taken_ns([](stream& line, std::byte* mine, std::byte* theirs) {
              line.copy({mine, 100, theirs, 100, 100, 10, true}, {});
            }),
            10'000 + 1'000);
  EXPECT_EQ(taken_ns([](stream& line, std::byte* mine, std::byte* theirs) {
              line.copy({mine, 100, theirs, 100, 100, 10, true}, {});
              line.copy({mine, 100, theirs + 1000, 100, 100, 10, true}, {});
            }),
            10'000 + 1'000 + 4'000 + 1'000);
}

TEST(timed_policy, keeps_local_copies_in_their_memory) {
  EXPECT_EQ(taken_ns([](stream& line, std::byte* mine, std::byte*) {
              line.copy({mine, 100, mine + 2000, 100, 100, 10, false}, {});
            }),
            600 + 500);
}

TEST(timed_policy, tells_a_push_from_a_kernel_that_stays_at_home) {
  const auto kernel = [](const std::byte* reads, const std::byte* writes) {
    return kernel_call{.name = "kernel",
                       .reads = {{reads, 1000, 1000, 1}},
                       .writes = {{writes, 1000, 1000, 1}},
                       .cuda = {},
                       .host = [] {}};
  };
  EXPECT_EQ(taken_ns([&](stream& line, std::byte* mine, std::byte*) {
              line.launch(kernel(mine, mine + 2000), {});
            }),
            300 + 500);
  EXPECT_EQ(taken_ns([&](stream& line, std::byte* mine, std::byte* theirs) {
              line.launch(kernel(mine, theirs), {});
            }),
            300 + 50 + 2'000);
}

TEST(timed_policy, lets_a_signal_take_its_way) {
  // Rank 1 answers what rank 0 writes.
  std::int64_t taken = 0;
  run_pair(round_numbers(), [&](group& ranks, device& on) {
    std::shared_ptr<memory> mine = on.allocate(64);
    on.write(std::vector<std::byte>(64), mine->data());
    const peer_memory both(ranks, on, mine);
    const auto word = [&](int rank) { return reinterpret_cast<std::uint64_t*>(both.at(rank)); };
    const auto line = on.create_stream("line", stream_priority::normal);
    const auto begin = on.create_event(event_timing::on);
    const auto end = on.create_event(event_timing::on);
    line->record(*begin);
    if (ranks.rank() == 0) line->write_value(word(1), 1, {});
    line->wait_value(word(ranks.rank()), 1, {});
    if (ranks.rank() == 1) line->write_value(word(0), 1, {});
    line->record(*end);
    EXPECT_TRUE(line->synchronize(ranks.deadline()));
    if (ranks.rank() == 0) taken = end->elapsed_ns_since(*begin);
    ranks.barrier();
  });
  EXPECT_EQ(taken, 2 * (5 + 3'000 + 7));
}

TEST(timed_policy, makes_calls_cost_the_host_time) {
  fabric_figures figures = round_numbers();
  figures.host_copy_ns = 2'700;
  figures.host_event_ns = 500;
  run_pair(figures, [&](group&, device& on) {
    const auto line = on.create_stream("line", stream_priority::normal);
    const auto memory = on.allocate(64);
    const auto at = on.create_event(event_timing::off);
    const std::int64_t before_ns = on.host_now_ns();
    line->copy({memory->data(), 8, memory->data() + 32, 8, 8, 1, false}, {});
    line->record(*at);
    EXPECT_EQ(on.host_now_ns() - before_ns, 2'700 + 500);
    EXPECT_TRUE(line->synchronize({}));
  });
}

/// How far apart two ranks' streams pass a gate.
std::int64_t skew_ns(std::int64_t within_ns, std::uint64_t seed) {
  fabric_figures figures = round_numbers();
  figures.arrival_skew_ns = within_ns;
  std::unique_ptr<event> passed[2];
  std::int64_t apart = 0;
  run_pair(
      figures,
      [&](group& ranks, device& on) {
        bench::start_gate gate(ranks, ranks, on);
        const auto line = on.create_stream("line", stream_priority::normal);
        auto& mine = passed[ranks.rank()] = on.create_event(event_timing::on);
        gate.hold(*line);
        line->record(*mine);
        gate.open();
        EXPECT_TRUE(line->synchronize(ranks.deadline()));
        ranks.barrier();
        if (ranks.rank() == 0) apart = passed[1]->elapsed_ns_since(*passed[0]);
        ranks.barrier();
      },
      seed);
  return apart;
}

TEST(timed_policy, lets_ranks_arrive_at_random_within_the_skew) {
  EXPECT_EQ(skew_ns(0, 1), 0);
  EXPECT_NE(skew_ns(100'000, 1), skew_ns(100'000, 2));
  EXPECT_EQ(skew_ns(100'000, 1), skew_ns(100'000, 1));
  EXPECT_LE(std::abs(skew_ns(100'000, 3)), 100'000);
}

// ---- the exchanger itself, in both orders -------------------------------------------------------

constexpr std::uint64_t step_bytes = 64'000'000;

/// Q, K and V of which each rank sends every peer a step's bytes.
std::vector<tensor_spec> specs_of_steps(int ranks) {
  const std::int64_t heads = 8 * ranks, tokens = 31'250 * ranks;
  return bench::specs_of(
      {{bench::parse_shape("1," + std::to_string(tokens) + "," + std::to_string(heads) + ",128"),
        true},
       element_type::bf16,
       ranks});
}

/// How much longer than without collisions the exchanger takes, counted from the last arrival,
/// where ranks arrive within `window_steps`; the mean of `seeds` seeds.
double exchanger_slowdown(int ranks, peer_order order, double window_steps, int seeds) {
  fabric_figures figures = bench::read_fabric(bench::default_fabric);
  const double step_ns = static_cast<double>(step_bytes) / figures.port_gbps;
  figures.arrival_skew_ns = static_cast<std::int64_t>(window_steps * step_ns);
  const std::vector<tensor_spec> specs = specs_of_steps(ranks);
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    std::vector<std::unique_ptr<event>> begins(static_cast<std::size_t>(ranks));
    std::vector<std::unique_ptr<event>> ends(begins.size());
    std::int64_t last_begin = 0, last_end = 0;
    timed_policy timed(figures, ranks, {.seed = static_cast<std::uint64_t>(seed)});
    const auto result =
        simulate({.ranks = ranks, .move_bytes = false}, timed, [&](group& world, device& on) {
          const auto mine = static_cast<std::size_t>(world.rank());
          std::vector<int> all;
          for (int rank = 0; rank < ranks; ++rank) all.push_back(rank);
          bench::start_gate gate(world, world, on);
          bench::workload load(on, specs, world.rank(), all, bench::projection::split, 0);
          direct_exchanger exchange(world, on, {.order = order});
          exchange.prepare(specs);
          const auto line = on.create_stream("compute", stream_priority::normal);
          begins[mine] = on.create_event(event_timing::on);
          ends[mine] = on.create_event(event_timing::on);
          gate.hold(*line);
          line->record(*begins[mine]);
          for (std::size_t at = 0; at < specs.size(); ++at) {
            exchange.submit(specs[at].tag, load.whole(at), load.source(at, 0), *line,
                            at + 1 == specs.size() ? submit_order::last : submit_order::more);
          }
          for (const tensor_spec& spec : specs) exchange.wait(spec.tag, *line);
          line->record(*ends[mine]);
          for (const tensor_spec& spec : specs) exchange.release(spec.tag, *line);
          gate.open();
          EXPECT_TRUE(line->synchronize(world.deadline()));
          EXPECT_TRUE(exchange.synchronize(world.deadline()));
          world.barrier();
          if (mine == 0) {
            for (const auto& each : begins) {
              last_begin = std::max(last_begin, each->elapsed_ns_since(*begins[0]));
            }
            for (const auto& each : ends) {
              last_end = std::max(last_end, each->elapsed_ns_since(*begins[0]));
            }
          }
          world.barrier();
        });
    rethrow_failure(result);
    EXPECT_TRUE(result.findings.empty());
    sum += static_cast<double>(last_end - last_begin) / (step_ns * 3 * (ranks - 1));
  }
  return sum / seeds;
}

TEST(timed_policy, shows_the_exchanger_the_incast_of_its_order_as_the_steps_alone_have_it) {
  const fabric_figures figures = bench::read_fabric(bench::default_fabric);
  constexpr int seeds = 10;
  for (const int ranks : {4, 8}) {
    for (const double window : {0.0, 0.5, 1.0}) {
      for (const bool naive : {false, true}) {
        const double steps_alone = slowdown(
            figures, {.ranks = ranks, .order = naive ? step_order::naive : step_order::rotated},
            window, 20);
        const double found = exchanger_slowdown(
            ranks, naive ? peer_order::naive : peer_order::rotated, window, seeds);
        EXPECT_NEAR(found / steps_alone, 1, 0.15)
            << ranks << " ranks, " << (naive ? "naive" : "rotated") << ", window " << window;
      }
    }
  }
}

TEST(timed_policy, shows_the_exchanger_no_incast_in_paced_order) {
  for (const int ranks : {4, 8}) {
    for (const double window : {0.0, 0.25, 0.5, 1.0, 2.0}) {
      EXPECT_NEAR(exchanger_slowdown(ranks, peer_order::paced, window, 3), 1, 0.15)
          << ranks << " ranks, window " << window;
    }
  }
}

}  // namespace
}  // namespace ithaca::sim
