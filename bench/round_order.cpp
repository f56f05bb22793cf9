#include "bench/round_order.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "reports/statistics.hpp"

namespace ithaca::bench {
namespace {

/// Fisher and Yates, with a draw that is the same everywhere (`std::shuffle` is not).
void shuffle(std::vector<std::size_t>& order, std::mt19937_64& engine) {
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[reports::draw_below(left, engine)]);
  }
}

}  // namespace

std::vector<std::vector<std::size_t>> balanced_rounds(std::size_t cells, std::size_t rounds,
                                                      std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<std::size_t> order(cells);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t round = 0; round < rounds; ++round) {
    if (cells > 0 && round % cells == 0)
      shuffle(order, engine);
    else if (cells > 0)
      std::ranges::rotate(order, order.begin() + 1);
    all.push_back(order);
  }
  return all;
}

}  // namespace ithaca::bench
