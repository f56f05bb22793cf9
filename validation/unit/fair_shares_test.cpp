#include "backend/sim/fair_shares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace ithaca::sim {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::vector<double> shares(std::vector<double> capacities, std::vector<flow_path> flows) {
  return fair_shares(capacities, flows);
}

TEST(fair_shares, gives_a_lonely_flow_the_narrowest_of_its_ports) {
  EXPECT_THAT(shares({10, 4, 7}, {{0, 1, 2}}), ElementsAre(4));
}

TEST(fair_shares, divides_a_port_evenly) {
  EXPECT_THAT(shares({9}, {{0}, {0}, {0}}), ElementsAre(3, 3, 3));
}

TEST(fair_shares, gives_what_a_bound_flow_leaves_to_the_others) {
  // The first passes a narrow port of its own: 10 - 2 is for the second.
  EXPECT_THAT(shares({10, 2}, {{0, 1}, {0}}), ElementsAre(2, 8));
}

TEST(fair_shares, are_those_of_the_textbook_line) {
  // Three links in a row, of 1 each; one flow over all, one over the first, two over the second,
  // one over the third: the second link fills first, at 1/3.
  const std::vector<double> rates = shares({1, 1, 1}, {{0, 1, 2}, {0}, {1}, {1}, {2}});
  const std::vector<double> expected = {1. / 3, 2. / 3, 1. / 3, 1. / 3, 2. / 3};
  EXPECT_THAT(rates, Pointwise(DoubleNear(1e-12), expected));
}

TEST(fair_shares, of_an_incast_are_bound_by_its_receiver) {
  // Ports out 0..2, into 3..5. Three senders to one receiver, and one of them also elsewhere.
  EXPECT_THAT(shares({6, 6, 6, 6, 6, 6}, {{0, 3}, {1, 3}, {2, 3}, {0, 4}}),
              ElementsAre(2, 2, 2, 4));
}

TEST(fair_shares, of_nothing_are_none) { EXPECT_TRUE(shares({1, 2}, {}).empty()); }

TEST(fair_shares, fill_a_port_of_every_flow_and_overfill_none) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> capacities(8);
    for (double& each : capacities) each = 1 + random() % 9;
    std::vector<flow_path> flows(1 + random() % 12);
    for (flow_path& each : flows) {
      each = {random() % 4, 4 + random() % 4};
    }
    const std::vector<double> rates = shares(capacities, flows);
    std::vector<double> used(capacities.size()), most(capacities.size());
    for (std::size_t at = 0; at < flows.size(); ++at) {
      for (const std::size_t port : flows[at]) {
        used[port] += rates[at];
        most[port] = std::max(most[port], rates[at]);
      }
    }
    for (std::size_t port = 0; port < used.size(); ++port) {
      EXPECT_LE(used[port], capacities[port] + 1e-9);
    }
    // Max-min: each flow has a full port on which nobody gets more than itself.
    for (std::size_t at = 0; at < flows.size(); ++at) {
      EXPECT_TRUE(std::ranges::any_of(flows[at],
                                      [&](std::size_t port) {
                                        return used[port] > capacities[port] - 1e-9 &&
                                               rates[at] > most[port] - 1e-9;
                                      }))
          << "trial " << trial << " flow " << at;
    }
  }
}

}  // namespace
}  // namespace ithaca::sim
