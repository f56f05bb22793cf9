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

/// 0, 1, n - 1, 2, n - 2, ...: the differences of neighbours are all different.
std::vector<std::size_t> zigzag(std::size_t places) {
  std::vector<std::size_t> order(places);
  for (std::size_t at = 0; at < places; ++at) {
    order[at] = at % 2 == 1 ? (at + 1) / 2 : (places - at / 2) % places;
  }
  return order;
}

}  // namespace

std::vector<std::vector<std::size_t>> balanced_rounds(std::size_t cells, std::size_t rounds,
                                                      std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<std::size_t> names(cells);
  std::iota(names.begin(), names.end(), std::size_t{0});
  std::vector<std::size_t> places = zigzag(cells);
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t round = 0; round < rounds; ++round) {
    if (cells > 0 && round % cells == 0) {
      // Of an odd number, one block can't be balanced for predecessors; with its mirror image it
      // is.
      const bool mirrors = cells % 2 == 1 && round / cells % 2 == 1;
      if (!mirrors) shuffle(names, engine);
      if (cells % 2 == 1 && round > 0) std::ranges::reverse(places);
    }
    std::vector<std::size_t>& order = all.emplace_back();
    for (const std::size_t place : places) order.push_back(names[(place + round) % cells]);
  }
  return all;
}

}  // namespace ithaca::bench
