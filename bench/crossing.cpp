#include "bench/crossing.hpp"

#include <algorithm>
#include <cmath>

namespace ithaca::bench {

std::size_t crossing_bytes(std::span<const compared_times> by_size) {
  const auto behind = std::ranges::find_if(
      by_size, [](const compared_times& each) { return each.first_ns > each.second_ns; });
  if (behind == by_size.begin()) return 0;
  const compared_times& before = *(behind - 1);
  if (behind == by_size.end()) return static_cast<std::size_t>(before.bytes);
  const double led_by = std::log(before.second_ns / before.first_ns);
  const double behind_by = std::log(behind->first_ns / behind->second_ns);
  const double share = led_by / (led_by + behind_by);
  return static_cast<std::size_t>(before.bytes * std::pow(behind->bytes / before.bytes, share));
}

}  // namespace ithaca::bench
