#include "bench/stage/search_grid.hpp"

#include "bench/stage/schedule.hpp"

namespace ithaca::bench {
namespace {

using enum qkv_tensor;

std::vector<schedule_settings> settings_of(const schedule& what) {
  std::vector<schedule_settings> all;
  for (const own_chunk own : {own_chunk::copied, own_chunk::produced}) {
    if (own == own_chunk::produced && !what.takes_own) continue;
    if (!what.takes_pieces) {
      all.push_back({.own = own});
      continue;
    }
    for (const int pieces : {2, 3, 4, 6}) {
      for (const double shrink : {2.0, 4.0}) {
        all.push_back({own, pieces, shrink, {k}});
      }
    }
    for (const int pieces : {2, 4}) {
      all.push_back({own, pieces, 2, {q, k}});
      all.push_back({own, pieces, 2, {q, k, v}});
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> search_grid() {
  std::vector<std::string> grid;
  for (const schedule& what : schedule_table()) {
    for (const schedule_settings& settings : settings_of(what)) {
      grid.push_back(chosen_schedule{&what, settings}.text());
    }
  }
  return grid;
}

}  // namespace ithaca::bench
