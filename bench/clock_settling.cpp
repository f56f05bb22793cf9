#include "bench/clock_settling.hpp"

#include <algorithm>
#include <vector>

namespace ithaca::bench {
namespace {

constexpr std::size_t steady_readings = 3;
constexpr std::int64_t least_share = 100;  // 1 %

/// Time since it was made, the longest of all ranks, so that all leave a loop together.
class shared_clock {
 public:
  explicit shared_clock(group& world) : world_(world) {}
  std::chrono::milliseconds elapsed() {
    const auto mine = std::chrono::steady_clock::now() - begin_;
    return std::chrono::milliseconds(
        world_.maximum(std::chrono::duration_cast<std::chrono::milliseconds>(mine).count()));
  }

 private:
  group& world_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

bool is_steady(std::span<const std::int64_t> readings) {
  if (readings.size() < steady_readings) return false;
  const auto [least, most] = std::ranges::minmax(readings.last(steady_readings));
  return (most - least) * least_share <= most;
}

std::optional<reports::clock_warm_up> settle_clocks(
    group& world, const std::function<std::optional<std::int64_t>()>& read_mhz,
    const std::function<void()>& exchange, settling how) {
  std::vector<std::int64_t> readings;
  shared_clock since_begin(world);
  for (auto elapsed = since_begin.elapsed();;) {
    const std::optional<std::int64_t> mhz = read_mhz();
    if (!world.agree(mhz.has_value())) return std::nullopt;
    readings.push_back(*mhz);
    const bool settled = world.agree(is_steady(readings));
    if (settled || elapsed >= how.at_most) {
      return reports::clock_warm_up{settled, static_cast<int>(elapsed.count())};
    }
    const auto next_reading = elapsed + how.between_readings;
    do {
      exchange();
      elapsed = since_begin.elapsed();
    } while (elapsed < next_reading);
  }
}

}  // namespace ithaca::bench
