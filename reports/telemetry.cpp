#include "reports/telemetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

struct named_column {
  const char* name;
  telemetry_column scenario_telemetry::*values;
};

constexpr std::array named_columns = {
    named_column{"sm_mhz", &scenario_telemetry::sm_mhz},
    named_column{"memory_mhz", &scenario_telemetry::memory_mhz},
    named_column{"power_mw", &scenario_telemetry::power_mw},
    named_column{"temperature_c", &scenario_telemetry::temperature_c},
    named_column{"nvlink_sent_bytes", &scenario_telemetry::nvlink_sent_bytes},
    named_column{"nvlink_received_bytes", &scenario_telemetry::nvlink_received_bytes},
};

json column_to_json(const telemetry_column& from) {
  json rounds = json::array();
  bool any = false;
  for (const auto& ranks : from) {
    json& round = rounds.emplace_back(json::array());
    for (const auto& reading : ranks) {
      round.push_back(reading ? json(*reading) : json(nullptr));
      any = any || reading;
    }
  }
  return any ? rounds : json(nullptr);
}

telemetry_column column_from_json(const json& from, const std::string& place) {
  if (from.is_null()) return {};
  telemetry_column rounds;
  for (std::size_t r = 0; r < as_array(from, place).size(); ++r) {
    const std::string inner = fmt::format("{}[{}]", place, r);
    auto& ranks = rounds.emplace_back();
    for (const json& reading : as_array(from[r], inner)) {
      ranks.push_back(reading.is_null() ? std::nullopt : std::optional(as_integer(reading, inner)));
    }
  }
  return rounds;
}

json throttled_to_json(const scenario_telemetry& of) {
  if (!of.throttled) return nullptr;
  json all = json::array();
  for (const throttled_round& each : *of.throttled) {
    all.push_back({{"round", each.round}, {"rank", each.rank}, {"reasons", each.reasons}});
  }
  return all;
}

std::vector<std::string> read_reasons(object_reader& reader) {
  std::vector<std::string> reasons;
  for (const json& reason : reader.array("reasons")) {
    reasons.push_back(as_text(reason, reader.place_of("reasons")));
  }
  if (reasons.empty()) refuse(reader.place_of("reasons"), "is empty");
  return reasons;
}

throttled_round throttled_round_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  throttled_round to{reader.small_count("round"), reader.small_count("rank"), read_reasons(reader)};
  reader.finish();
  return to;
}

discarded_round discarded_round_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  discarded_round to{reader.small_count("round"), read_reasons(reader)};
  reader.finish();
  return to;
}

template <class Round>
std::vector<Round> rounds_from_json(const json& from, const std::string& place,
                                    Round (*each_from_json)(const json&, const std::string&)) {
  std::vector<Round> to;
  for (std::size_t at = 0; at < as_array(from, place).size(); ++at) {
    to.push_back(each_from_json(from[at], fmt::format("{}[{}]", place, at)));
  }
  return to;
}

void write_settled(const scenario_telemetry& from, json& to) {
  if (from.discarded_rounds) {
    json& all = to["discarded_rounds"] = json::array();
    for (const discarded_round& each : *from.discarded_rounds) {
      all.push_back({{"round", each.round}, {"reasons", each.reasons}});
    }
  }
  if (from.throttling_note) to["throttling_note"] = *from.throttling_note;
  if (from.sm_drift_mhz) to["sm_drift_mhz"] = *from.sm_drift_mhz;
}

void read_settled(object_reader& reader, scenario_telemetry& to) {
  if (const json* all = reader.find("discarded_rounds")) {
    to.discarded_rounds =
        rounds_from_json(*all, reader.place_of("discarded_rounds"), discarded_round_from_json);
  }
  if (reader.find("throttling_note")) to.throttling_note = reader.text("throttling_note");
  if (reader.find("sm_drift_mhz")) to.sm_drift_mhz = reader.number("sm_drift_mhz");
}

json scenario_to_json(const scenario_telemetry& from) {
  json to = {{"shape", from.shape},
             {"dtype", from.dtype},
             {"degree", from.degree},
             {"schedule", from.schedule},
             {"throttled", throttled_to_json(from)}};
  for (const named_column& each : named_columns) to[each.name] = column_to_json(from.*each.values);
  write_settled(from, to);
  return to;
}

scenario_telemetry scenario_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  scenario_telemetry to;
  to.shape = reader.text("shape");
  to.dtype = reader.text("dtype");
  to.degree = reader.small_count("degree");
  to.schedule = reader.text("schedule");
  for (const named_column& each : named_columns) {
    to.*each.values = column_from_json(reader.at(each.name), reader.place_of(each.name));
  }
  if (!reader.at("throttled").is_null()) {
    to.throttled = rounds_from_json(reader.at("throttled"), reader.place_of("throttled"),
                                    throttled_round_from_json);
  }
  read_settled(reader, to);
  reader.finish();
  return to;
}

clock_warm_up warm_up_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  const clock_warm_up to{reader.boolean("settled"), reader.small_count("after_ms")};
  reader.finish();
  return to;
}

}  // namespace

json to_json(const telemetry& from) {
  json warm_up = nullptr;
  if (from.warm_up) {
    warm_up = {{"settled", from.warm_up->settled}, {"after_ms", from.warm_up->after_ms}};
  }
  json scenarios = json::array();
  for (const scenario_telemetry& each : from.scenarios) scenarios.push_back(scenario_to_json(each));
  return {{"not_readable", or_null(from.not_readable)},
          {"warm_up", std::move(warm_up)},
          {"scenarios", std::move(scenarios)}};
}

telemetry telemetry_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  telemetry to;
  to.not_readable = reader.text_or_null("not_readable");
  const json& warm_up = reader.at("warm_up");
  if (!warm_up.is_null()) to.warm_up = warm_up_from_json(warm_up, reader.place_of("warm_up"));
  const json& scenarios = reader.array("scenarios");
  for (std::size_t at = 0; at < scenarios.size(); ++at) {
    to.scenarios.push_back(
        scenario_from_json(scenarios[at], fmt::format("{}[{}]", reader.place_of("scenarios"), at)));
  }
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
