#include "reports/run_record.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
std::string utc_text(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

bool is_utc_text(std::string_view text) {
  constexpr std::string_view pattern = "dddd-dd-ddTdd:dd:ddZ";
  return std::ranges::equal(text, pattern, [](char found, char expected) {
    return expected == 'd' ? found >= '0' && found <= '9' : found == expected;
  });
}

std::optional<std::string> note_on_times(std::string_view device) {
  if (device == "cuda") return std::nullopt;
  if (device == "sim")
    return "Simulated: every time and rate here is a model's, none was measured.";
  return fmt::format("Measured on the {} device: the times say nothing about GPUs.", device);
}

json to_json(const run_record& from) {
  return {{"command", from.command},
          {"arguments", from.arguments},
          {"seed", from.seed},
          {"git_revision", from.git_revision},
          {"started_at", from.started_at},
          {"complete", from.complete},
          {"ranks", from.ranks},
          {"reference_arm", or_null(from.reference_arm)},
          {"noise_floor_arm", or_null(from.noise_floor_arm)},
          {"note", or_null(from.note)}};
}

run_record run_record_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  run_record to;
  to.command = reader.text("command");
  const json& arguments = reader.array("arguments");
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    to.arguments.push_back(
        as_text(arguments[at], fmt::format("{}[{}]", reader.place_of("arguments"), at)));
  }
  to.seed = reader.count("seed");
  to.git_revision = reader.text("git_revision");
  to.started_at = reader.text("started_at");
  if (!is_utc_text(to.started_at)) {
    refuse(reader.place_of("started_at"), "is no time in UTC such as 2026-08-06T09:30:00Z");
  }
  to.complete = reader.boolean("complete");
  to.ranks = reader.small_count("ranks");
  to.reference_arm = reader.text_or_null("reference_arm");
  to.noise_floor_arm = reader.text_or_null("noise_floor_arm");
  to.note = reader.text_or_null("note");
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
