#include "reports/merge/recorded_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "reports/statistics.hpp"
#include "reports/throttling.hpp"
#include "reports/units.hpp"

namespace ithaca::reports {
namespace {

std::optional<double> value(const cell& of, const std::string& name) {
  const auto found = of.metrics.find(name);
  if (found == of.metrics.end()) return std::nullopt;
  return found->second.value;
}

/// The metric of every launch that has it.
std::vector<double> values(std::span<const recorded_cell> launches, const std::string& name) {
  std::vector<double> all;
  for (const recorded_cell& each : launches) {
    if (const auto one = value(*each.of, name)) all.push_back(*one);
  }
  return all;
}

std::uint64_t rounded(double of) { return static_cast<std::uint64_t>(std::llround(of)); }

std::optional<std::int64_t> median_ns(std::span<const recorded_cell> launches,
                                      const std::string& name, double ns_per_unit) {
  std::vector<double> all = values(launches, name);
  if (all.empty()) return std::nullopt;
  return std::llround(median(std::move(all)) * ns_per_unit);
}

std::uint64_t most_bytes(std::span<const recorded_cell> launches, const std::string& name) {
  const std::vector<double> all = values(launches, name);
  return all.empty() ? 0 : rounded(std::ranges::max(all) * bytes_per_mib);
}

/// The metric's time is that of one exchange, the samples' is that of all.
std::uint64_t exchanges_per_sample(const recorded_cell& launch) {
  const auto rounds = discarded(*launch.seen, launch.of->key);
  const double sample_ns = median(launch.of->samples.without(rounds).round_medians_ns().front());
  return rounded(sample_ns / (*value(*launch.of, "time_us") * ns_per_us));
}

/// GB/s times nanoseconds.
std::uint64_t bytes_of_rate(const cell& of, const std::string& name) {
  const auto rate = value(of, name);
  return rate ? rounded(*rate * *value(of, "time_us") * ns_per_us) : 0;
}

}  // namespace

cell_inputs recorded_inputs(std::span<const recorded_cell> launches) {
  const cell& first = *launches.front().of;
  cell_inputs of;
  of.degree = first.key.degree;
  of.exchanges_per_sample = exchanges_per_sample(launches.front());
  of.contains_computation = !value(first, "goodput_gbps");
  of.peer_bytes = bytes_of_rate(first, "goodput_gbps");
  of.source_bytes = bytes_of_rate(first, "algbw_gbps");
  if (const auto submit = median_ns(launches, "submit_us", ns_per_us)) of.submit_ns = {*submit};
  of.prepare_ns = median_ns(launches, "prepare_ms", ns_per_ms);
  of.first_exchange_ns = median_ns(launches, "first_exchange_us", ns_per_us);
  of.checker_ns = median_ns(launches, "checker_us", ns_per_us);
  of.memory_bytes = most_bytes(launches, "memory_mib");
  of.padding_bytes = most_bytes(launches, "padding_mib");
  return of;
}

}  // namespace ithaca::reports
