#include "reports/overlap_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

std::optional<double> ratio(std::int64_t of, std::int64_t to) {
  if (to == 0) return std::nullopt;
  return static_cast<double>(of) / static_cast<double>(to);
}

void check(const tag_overlap_figures& of, const overlap_figures& in, const std::string& place) {
  const auto require = [&](bool holds, const char* otherwise) {
    if (!holds) refuse(place, otherwise);
  };
  require(of.moving_ns <= in.to_peers_ns, "moves for longer than all tags together");
  require(of.overlap_ns <= of.moving_ns, "overlaps for longer than it moves");
  require((of.windows == 0) == (of.overlap_ns == 0), "has windows without overlap, or none with");
  for (const auto& [name, ns] : of.beside_ns) {
    if (ns > of.overlap_ns) {
      refuse(place, fmt::format("is beside {} for longer than it overlaps", name));
    }
  }
}

void check(const overlap_figures& of, const std::string& place) {
  const auto require = [&](bool holds, const char* otherwise) {
    if (!holds) refuse(place, otherwise);
  };
  // As a difference: the sum of two numbers that were read may not fit.
  require(of.compute_ns <= of.stage_ns && of.stage_ns - of.compute_ns == of.exposed_ns,
          "has a stage that is not its computation and what is exposed");
  require(of.communication_ns >= std::max(of.to_peers_ns, of.within_rank_ns),
          "communicates for less time than one of its parts");
  require(of.communication_ns <= of.stage_ns, "communicates for longer than its stage");
  require(of.hidden_ns <= std::min(of.communication_ns, of.compute_ns),
          "hides more than it communicates or computes");
  for (const auto& [tag, figures] : of.tags) check(figures, of, place + ".tags." + tag);
}

std::int64_t ns(object_reader& reader, const std::string& field) {
  const std::int64_t value = reader.integer(field);
  if (value < 0) refuse(reader.place_of(field), "is negative where a time belongs");
  return value;
}

std::optional<double> number_if_any(object_reader& reader, const std::string& field) {
  const json* value = reader.find(field);
  if (value == nullptr) return std::nullopt;
  return as_number(*value, reader.place_of(field));
}

/// A ratio or a number of things.
std::optional<double> positive_if_any(object_reader& reader, const std::string& field) {
  const std::optional<double> value = number_if_any(reader, field);
  if (value && *value < 0) refuse(reader.place_of(field), "is negative");
  return value;
}

/// It follows from other fields, and stands there for those who only read.
void check_hidden_fraction(object_reader& reader, const overlap_figures& of) {
  const std::optional<double> computed = hidden_fraction(of);
  const std::string place = reader.place_of("hidden_fraction");
  if (!computed) {
    if (reader.find("hidden_fraction")) refuse(place, "is there without communication");
    return;
  }
  constexpr double rounding = 1e-9;
  if (!(std::abs(reader.number("hidden_fraction") - *computed) <= rounding)) {
    refuse(place, "is not hidden_ns / communication_ns");
  }
}

json tag_to_json(const tag_overlap_figures& from) {
  return {{"moving_ns", from.moving_ns},
          {"overlap_ns", from.overlap_ns},
          {"windows", from.windows},
          {"beside_ns", json(from.beside_ns)}};
}

tag_overlap_figures tag_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  tag_overlap_figures to;
  to.moving_ns = ns(reader, "moving_ns");
  to.overlap_ns = ns(reader, "overlap_ns");
  to.windows = reader.count("windows");
  object_reader beside(reader.at("beside_ns"), reader.place_of("beside_ns"));
  for (const auto& [name, unused] : reader.at("beside_ns").items()) {
    to.beside_ns[name] = ns(beside, name);
  }
  reader.finish();
  return to;
}

}  // namespace

std::optional<double> hidden_fraction(const overlap_figures& of) {
  return ratio(of.hidden_ns, of.communication_ns);
}

overlap_figures compared(overlap_figures of, const std::optional<overlap_figures>& compute_alone,
                         const std::optional<overlap_figures>& communication_alone) {
  if (compute_alone) of.compute_slowdown = ratio(of.compute_ns, compute_alone->compute_ns);
  if (communication_alone) {
    of.communication_slowdown = ratio(of.communication_ns, communication_alone->communication_ns);
  }
  if (compute_alone && communication_alone) {
    const std::int64_t one_after_other = compute_alone->stage_ns + communication_alone->stage_ns;
    const std::int64_t ideal = std::max(compute_alone->stage_ns, communication_alone->stage_ns);
    of.ideal_share = ratio(one_after_other - of.stage_ns, one_after_other - ideal);
  }
  return of;
}

json to_json(const overlap_figures& from, const std::string& place) {
  check(from, place);
  json to = {{"rank", from.rank},
             {"stage_ns", from.stage_ns},
             {"compute_ns", from.compute_ns},
             {"communication_ns", from.communication_ns},
             {"to_peers_ns", from.to_peers_ns},
             {"within_rank_ns", from.within_rank_ns},
             {"hidden_ns", from.hidden_ns},
             {"exposed_ns", from.exposed_ns}};
  const auto write = [&](const char* field, const std::optional<double>& value) {
    if (value) to[field] = *value;
  };
  write("sms_held", from.sms_held);
  write("hidden_fraction", hidden_fraction(from));
  write("compute_slowdown", from.compute_slowdown);
  write("communication_slowdown", from.communication_slowdown);
  write("ideal_share", from.ideal_share);
  json tags = json::object();
  for (const auto& [tag, figures] : from.tags) tags[tag] = tag_to_json(figures);
  to["tags"] = std::move(tags);
  return to;
}

overlap_figures overlap_figures_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  overlap_figures to;
  to.rank = reader.small_count("rank");
  to.stage_ns = ns(reader, "stage_ns");
  to.compute_ns = ns(reader, "compute_ns");
  to.communication_ns = ns(reader, "communication_ns");
  to.to_peers_ns = ns(reader, "to_peers_ns");
  to.within_rank_ns = ns(reader, "within_rank_ns");
  to.hidden_ns = ns(reader, "hidden_ns");
  to.exposed_ns = ns(reader, "exposed_ns");
  to.sms_held = positive_if_any(reader, "sms_held");
  check_hidden_fraction(reader, to);
  to.compute_slowdown = positive_if_any(reader, "compute_slowdown");
  to.communication_slowdown = positive_if_any(reader, "communication_slowdown");
  to.ideal_share = number_if_any(reader, "ideal_share");
  const std::string tags = reader.place_of("tags");
  for (const auto& [tag, value] : as_object(reader.at("tags"), tags).items()) {
    to.tags[tag] = tag_from_json(value, tags + "." + tag);
  }
  reader.finish();
  check(to, place);
  return to;
}

}  // namespace ithaca::reports
