#include "bench/clock_offsets.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace ithaca::bench {
namespace {

constexpr std::size_t barriers = 15;

std::int64_t middle_of(std::vector<std::int64_t> of) {
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::ranges::nth_element(of, middle);
  return *middle;
}

}  // namespace

std::vector<std::int64_t> clock_offsets_ns(group& world,
                                           const std::function<std::int64_t()>& now_ns) {
  const std::vector<int>& hosts = world.hosts();
  std::vector<std::int64_t> offsets(hosts.size());
  if (world.why_not_one_host().empty()) return offsets;

  std::vector<std::int64_t> left_ns(barriers);
  for (std::int64_t& each : left_ns) {
    world.barrier();
    each = now_ns();
  }
  std::vector<std::vector<std::int64_t>> all;
  for (const auto& bytes : world.all_gather(std::as_bytes(std::span(left_ns)))) {
    std::memcpy(all.emplace_back(barriers).data(), bytes.data(), bytes.size());
  }
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const auto first =
        static_cast<std::size_t>(std::ranges::find(hosts, hosts[rank]) - hosts.begin());
    std::vector<std::int64_t> apart(barriers);
    std::ranges::transform(all[first], all[0], apart.begin(), std::minus());
    offsets[rank] = middle_of(apart);
  }
  return offsets;
}

}  // namespace ithaca::bench
