#include "bench/telemetry.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "bench/gpu_sensor.hpp"
#include "reports/throttling.hpp"

namespace ithaca::bench {
namespace {

using reading = std::optional<std::int64_t>;

/// A counter's growth; empty if either end is, or if it was set back in between.
reading growth(reading before, reading after) {
  if (!before || !after || *after < *before) return std::nullopt;
  return *after - *before;
}

/// What one rank tells the others of a round.
struct rank_round {
  std::vector<reading> values;  ///< in the order of `columns`
  std::optional<std::vector<std::string>> reasons;
};

constexpr reports::telemetry_column reports::scenario_telemetry::*columns[] = {
    &reports::scenario_telemetry::sm_mhz,
    &reports::scenario_telemetry::memory_mhz,
    &reports::scenario_telemetry::power_mw,
    &reports::scenario_telemetry::temperature_c,
    &reports::scenario_telemetry::nvlink_sent_bytes,
    &reports::scenario_telemetry::nvlink_received_bytes,
};

/// What held the clocks down: at the end of the round, when the GPU may idle again, or at any time
/// in it, as the counters tell.
std::optional<std::vector<std::string>> throttling(const traces::gpu_reading& before,
                                                   const traces::gpu_reading& after) {
  const reading power = growth(before.power_limited_ns, after.power_limited_ns);
  const reading thermal = growth(before.thermally_limited_ns, after.thermally_limited_ns);
  if (!after.throttle_reasons && !power && !thermal) return std::nullopt;
  std::vector<std::string> reasons = after.throttle_reasons.value_or(std::vector<std::string>{});
  const auto add = [&](const char* words) {
    if (std::ranges::find(reasons, words) == reasons.end()) reasons.emplace_back(words);
  };
  if (power.value_or(0) > 0) add("power cap");
  if (thermal.value_or(0) > 0) add("thermal limit");
  return reasons;
}

rank_round round_between(const traces::gpu_reading& before, const traces::gpu_reading& after) {
  return {{after.sm_mhz, after.memory_mhz, after.power_mw, after.temperature_c,
           growth(before.nvlink_sent_bytes, after.nvlink_sent_bytes),
           growth(before.nvlink_received_bytes, after.nvlink_received_bytes)},
          throttling(before, after)};
}

std::string to_text(const rank_round& of) {
  nlohmann::json values = nlohmann::json::array();
  for (const reading& each : of.values) {
    values.push_back(each ? nlohmann::json(*each) : nlohmann::json(nullptr));
  }
  return nlohmann::json{values, of.reasons ? nlohmann::json(*of.reasons) : nlohmann::json(nullptr)}
      .dump();
}

rank_round from_text(const std::string& text) {
  const nlohmann::json from = nlohmann::json::parse(text);
  rank_round of;
  for (const nlohmann::json& each : from[0]) {
    of.values.push_back(each.is_null() ? reading() : each.get<std::int64_t>());
  }
  if (!from[1].is_null()) of.reasons = from[1].get<std::vector<std::string>>();
  return of;
}

void add_round(reports::scenario_telemetry& to, const std::vector<std::string>& told) {
  const int round = static_cast<int>(to.sm_mhz.size());
  for (const auto column : columns) (to.*column).emplace_back();
  for (std::size_t rank = 0; rank < told.size(); ++rank) {
    rank_round theirs = from_text(told[rank]);
    for (std::size_t at = 0; at < std::size(columns); ++at) {
      (to.*columns[at]).back().push_back(theirs.values[at]);
    }
    if (!theirs.reasons) continue;
    if (!to.throttled) to.throttled.emplace();
    if (theirs.reasons->empty()) continue;
    to.throttled->push_back({round, static_cast<int>(rank), std::move(*theirs.reasons)});
  }
}

/// `why_not` of all ranks in one text.
std::optional<std::string> unreadable(group& world, const std::string& why_not) {
  try {
    require_eligible(world, why_not);
  } catch (const not_eligible& reasons) {
    return reasons.what();
  }
  return std::nullopt;
}

telemetry::reader reader_of(std::shared_ptr<traces::nvml_gpu> gpu) {
  if (!gpu) return {};
  return [gpu = std::move(gpu)] { return gpu->read(); };
}

}  // namespace

telemetry::telemetry(group& world, const device& on)
    : telemetry([&] {
        gpu_sensor sensor = open_gpu_sensor(on);
        return telemetry(world, reader_of(std::move(sensor.gpu)), sensor.reason);
      }()) {}

telemetry::telemetry(group& world, reader read, const std::string& why_not)
    : world_(world), read_(std::move(read)) {
  so_far_.not_readable = unreadable(world, why_not);
  anyone_reads_ = world.maximum(read_ ? 1 : 0) == 1;
}

void telemetry::settle_clocks_once(const std::function<void()>& exchange, settling how) {
  if (!anyone_reads_ || watched_clocks_) return;
  watched_clocks_ = true;
  so_far_.warm_up = settle_clocks(
      world_, [&] { return read_ ? read_().sm_mhz : std::nullopt; }, exchange, how);
}

void telemetry::begin_scenario(const scenario& what) {
  if (!anyone_reads_) return;
  reports::scenario_telemetry& begun = so_far_.scenarios.emplace_back();
  begun.shape = what.what.chosen.name;
  begun.dtype = to_string(what.type);
  begun.degree = what.degree;
  begun.schedule = "exchange";
  before_ = read_ ? read_() : traces::gpu_reading{};
}

void telemetry::end_round() {
  if (!anyone_reads_) return;
  const traces::gpu_reading after = read_ ? read_() : traces::gpu_reading{};
  reports::scenario_telemetry& current = so_far_.scenarios.back();
  add_round(current, world_.all_gather_text(to_text(round_between(before_, after))));
  reports::settle_throttling(current, static_cast<int>(current.sm_mhz.size()));
  before_ = after;
}

}  // namespace ithaca::bench
