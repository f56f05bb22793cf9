#include "backend/sim/fabric.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "bench/fabric_file.hpp"
#include "validation/unit/step_program.hpp"

namespace ithaca::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Round numbers: one byte a nanosecond through a port.
fabric_figures round_figures() {
  fabric_figures figures;
  figures.port_gbps = 1;
  figures.lanes_gbps = 0.5;
  figures.local_copy_gbps = 2;
  figures.push_rates = {{10, 0.5}, {20, 0.8}};
  return figures;
}

struct ending {
  fabric::transfer_id transfer;
  std::int64_t at_ns;
  bool operator==(const ending&) const = default;
};

std::vector<ending> run_out(fabric& over) {
  std::vector<ending> all;
  while (const auto next = over.next_ns()) {
    for (const auto id : over.advance(*next)) all.push_back({id, *next});
  }
  return all;
}

TEST(fabric, moves_a_copy_at_its_ports_rate_after_its_latency) {
  fabric over(round_figures(), 2);
  const auto copy = over.copy(0, {1, 1000}, 30);
  EXPECT_THAT(run_out(over), ElementsAre(ending{copy, 1030}));
}

TEST(fabric, shares_a_receiver_and_gives_it_back_when_a_copy_ends) {
  fabric over(round_figures(), 3);
  const auto longer = over.copy(0, {2, 1000}, 0);
  const auto shorter = over.copy(1, {2, 300}, 0);
  // Both at 0.5 until 600; the longer has 700 left then.
  EXPECT_THAT(run_out(over), ElementsAre(ending{shorter, 600}, ending{longer, 1300}));
}

TEST(fabric, shares_anew_when_a_copy_begins) {
  fabric over(round_figures(), 3);
  const auto early = over.copy(0, {2, 1000}, 0);
  const auto late = over.copy(1, {2, 1000}, 500);
  EXPECT_THAT(run_out(over), ElementsAre(ending{early, 1500}, ending{late, 2000}));
}

TEST(fabric, lets_both_directions_go_at_full_rate) {
  fabric over(round_figures(), 2);
  const auto there = over.copy(0, {1, 1000}, 0);
  const auto back = over.copy(1, {0, 1000}, 0);
  EXPECT_THAT(run_out(over), ElementsAre(ending{there, 1000}, ending{back, 1000}));
}

TEST(fabric, slows_copy_engines_that_serve_several_peers_at_a_time) {
  fabric over(round_figures(), 3);
  over.copy(0, {1, 1000}, 0);
  over.copy(0, {2, 1000}, 0);
  EXPECT_EQ(run_out(over).back().at_ns, 4000);  // 2000 bytes at 0.5

  fabric same_peer(round_figures(), 3);
  same_peer.copy(0, {1, 1000}, 0);
  same_peer.copy(0, {1, 1000}, 0);
  EXPECT_EQ(run_out(same_peer).back().at_ns, 2000);
}

TEST(fabric, bounds_a_push_by_its_thread_blocks_and_ends_it_with_its_last_part) {
  fabric over(round_figures(), 3);
  const auto push = over.push(0, {{1, 100}, {2, 300}, {0, 10}}, 20, 5);
  // 0.4 to each until 255; then 0.8 to the one that is left: 200 more in 250.
  EXPECT_THAT(run_out(over), ElementsAre(ending{push, 505}));
}

TEST(fabric, keeps_local_copies_off_the_ports) {
  fabric over(round_figures(), 2);
  const auto away = over.copy(0, {1, 1000}, 0);
  const auto local = over.copy(0, {0, 1000}, 0);
  EXPECT_THAT(run_out(over), ElementsAre(ending{local, 500}, ending{away, 1000}));
}

TEST(fabric, ends_what_has_no_bytes_at_once) {
  fabric over(round_figures(), 2);
  const auto none = over.copy(0, {1, 0}, 7);
  EXPECT_THAT(run_out(over), ElementsAre(ending{none, 7}));
  EXPECT_EQ(over.next_ns(), std::nullopt);
}

TEST(fabric, refuses_to_jump_over_an_end_or_to_go_back) {
  fabric over(round_figures(), 2);
  over.copy(0, {1, 1000}, 0);
  EXPECT_THROW(over.advance(1001), std::logic_error);
  EXPECT_THAT(over.advance(400), IsEmpty());
  EXPECT_THROW(over.advance(399), std::logic_error);
}

TEST(fabric, reads_push_rates_between_those_that_were_measured) {
  const fabric_figures figures = round_figures();
  EXPECT_DOUBLE_EQ(figures.push_gbps(5), 0.25);
  EXPECT_DOUBLE_EQ(figures.push_gbps(10), 0.5);
  EXPECT_DOUBLE_EQ(figures.push_gbps(15), 0.65);
  EXPECT_DOUBLE_EQ(figures.push_gbps(99), 0.8);
}

// ---- against what is known ----------------------------------------------------------------------

fabric_figures h200() { return bench::read_fabric(bench::default_fabric); }

struct incast_row {
  int ranks;
  step_order order;
  double slowdowns[5];  // by window
};

constexpr double windows[] = {0, 0.25, 0.5, 1, 2};
constexpr int seeds = 20;

/// Of another fluid model: three tensors, one copy a step, arrival at random within a window of so
/// many steps, against the ideal counted from the last arrival.
constexpr incast_row incast_table[] = {
    {4, step_order::rotated, {1.00, 1.11, 1.27, 1.51, 1.56}},
    {4, step_order::naive, {2.00, 1.88, 1.83, 1.73, 1.69}},
    {4, step_order::paced, {1.00, 1.00, 1.00, 1.00, 1.00}},
    {8, step_order::rotated, {1.00, 1.13, 1.26, 1.55, 1.76}},
    {8, step_order::naive, {4.00, 3.01, 2.78, 2.53, 2.34}},
    {8, step_order::paced, {1.00, 1.00, 1.00, 1.00, 1.00}},
};

TEST(fabric, reproduces_the_incast_after_skew) {
  for (const incast_row& row : incast_table) {
    for (std::size_t at = 0; at < std::size(windows); ++at) {
      const double found =
          slowdown(h200(), {.ranks = row.ranks, .order = row.order}, windows[at], seeds);
      EXPECT_NEAR(found / row.slowdowns[at], 1, 0.05)
          << row.ranks << " ranks, " << name_of(row.order) << ", window " << windows[at];
    }
  }
}

/// GB/s out of each of four GPUs that start together and send each peer one copy, the first copy's
/// start and one handshake of all included.
double all_to_all_gbps(std::uint64_t bytes) {
  const fabric_figures figures = h200();
  fabric over(figures, 4);
  const std::int64_t end =
      run_steps(over, {.tensors = 1, .bytes = bytes}, {0, 0, 0, 0}, latencies_of(figures));
  return 3 * static_cast<double>(bytes) / static_cast<double>(end + figures.signal_ns());
}

TEST(fabric, comes_close_to_measured_goodput_with_one_latency_for_all_sizes) {
  struct measured {
    std::uint64_t bytes;
    double gbps;
  };
  for (const measured& each :
       {measured{97'000'000, 379}, measured{48'000'000, 368}, measured{21'000'000, 333},
        measured{5'000'000, 235}, measured{1'300'000, 121}}) {
    EXPECT_NEAR(all_to_all_gbps(each.bytes) / each.gbps, 1, 0.05) << each.bytes;
  }
}

TEST(fabric, halves_the_rate_of_one_stream_a_peer_as_measured) {
  const fabric_figures figures = h200();
  constexpr std::uint64_t bytes = 64'000'000;
  fabric over(figures, 4);
  for (int from = 0; from < 4; ++from) {
    for (int step = 1; step < 4; ++step) {
      over.copy(from, {(from + step) % 4, bytes}, figures.first_copy_ns);
    }
  }
  const std::int64_t end = run_out(over).back().at_ns + figures.signal_ns();
  EXPECT_NEAR(3.0 * bytes / static_cast<double>(end) / 206.5, 1, 0.05);  // 194 to 219 measured
}

// ---- what the documentation says ----------------------------------------------------------------

std::string documentation() {
  std::ifstream file(ITHACA_SOURCE_DIR "/docs/simulation-fabric.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr step_order all_orders[] = {step_order::rotated, step_order::naive, step_order::paced};

TEST(fabric, predicts_what_the_documentation_shows_of_skew) {
  const std::string text = documentation();
  for (const int ranks : {4, 8, 16}) {
    for (const step_order order : all_orders) {
      std::string row = fmt::format("| U{} {} |", ranks, name_of(order));
      for (const double window : windows) {
        row += fmt::format(" {:.2f} |",
                           slowdown(h200(), {.ranks = ranks, .order = order}, window, seeds));
      }
      EXPECT_THAT(text, HasSubstr(row + "\n"));
    }
  }
}

TEST(fabric, predicts_what_the_documentation_shows_of_sizes) {
  const std::string text = documentation();
  const fabric_figures figures = h200();
  for (const int ranks : {4, 8, 16}) {
    for (const step_order order : all_orders) {
      std::string row = fmt::format("| U{} {} |", ranks, name_of(order));
      for (const std::uint64_t bytes : {250'000u, 1'000'000u, 4'000'000u, 16'000'000u}) {
        const double ns = mean_ns(figures, {.ranks = ranks, .order = order, .bytes = bytes}, 20'000,
                                  seeds, latencies_of(figures));
        row += fmt::format(" {:.0f} |", ns / 1000);
      }
      EXPECT_THAT(text, HasSubstr(row + "\n"));
    }
  }
}

}  // namespace
}  // namespace ithaca::sim
