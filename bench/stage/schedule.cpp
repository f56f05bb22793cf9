#include "bench/stage/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "backend/errors.hpp"
#include "bench/option_values.hpp"
#include "bench/stage/row_pieces.hpp"
#include "reports/console/nearest_name.hpp"

namespace ithaca::bench {
namespace {

constexpr int most_pieces = 64;
constexpr double most_shrink = 16;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

double shrink_of(const std::string& flag, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 1) ||
      value > most_shrink) {
    throw invalid_use(
        fmt::format("{} '{}': give a number from 1 (equal pieces) to {}", flag, text, most_shrink));
  }
  return value;
}

std::vector<qkv_tensor> tensors_of(const std::string& flag, const std::string& text) {
  std::vector<qkv_tensor> tensors;
  for (const char letter : text) {
    const auto* const found = std::ranges::find_if(
        all_qkv, [&](qkv_tensor each) { return to_string(each).front() == letter; });
    if (found == all_qkv.end() || std::ranges::find(tensors, *found) != tensors.end()) {
      throw invalid_use(
          fmt::format("{} '{}': give letters of q, k and v, each once, e.g. vqk", flag, text));
    }
    tensors.push_back(*found);
  }
  if (tensors.empty()) throw invalid_use(fmt::format("{} is empty: give e.g. k", flag));
  std::ranges::sort(tensors);
  return tensors;
}

void set(chosen_schedule& chosen, const std::string& name, const std::string& value) {
  const schedule& what = *chosen.what;
  const std::string flag = fmt::format("schedule {}: {}", what.name, name);
  std::vector<std::string> known;
  if (what.takes_pieces) known = {"pieces", "shrink", "tensors"};
  if (what.takes_own) known.emplace_back("own");
  if (std::ranges::find(known, name) == known.end()) {
    throw invalid_use(fmt::format("schedule {} has no setting '{}'{}", what.name, name,
                                  known.empty() ? "" : console::did_you_mean(name, known)));
  }
  schedule_settings& settings = chosen.settings;
  if (name == "pieces") settings.pieces = whole_number(flag, value, 1, most_pieces);
  if (name == "shrink") settings.shrink = shrink_of(flag, value);
  if (name == "tensors") settings.in_pieces = tensors_of(flag, value);
  if (name == "own") {
    settings.own = one_of(flag, value, {"copied", "produced"}) == "produced" ? own_chunk::produced
                                                                             : own_chunk::copied;
  }
}

}  // namespace

std::string chosen_schedule::text() const {
  const schedule_settings usual;
  std::string text(what->name);
  if (settings.pieces != usual.pieces) text += fmt::format(":pieces={}", settings.pieces);
  if (settings.shrink != usual.shrink) text += fmt::format(":shrink={}", settings.shrink);
  if (settings.in_pieces != usual.in_pieces) {
    text += ":tensors=";
    for (const qkv_tensor each : settings.in_pieces) text += to_string(each);
  }
  if (settings.own != usual.own) text += ":own=produced";
  return text;
}

std::vector<index_range> pieces_of(const chosen_schedule& chosen, qkv_tensor tensor,
                                   std::int64_t rows) {
  const schedule_settings& settings = chosen.settings;
  const bool in_pieces =
      chosen.what->takes_pieces && std::ranges::count(settings.in_pieces, tensor) > 0;
  if (!in_pieces) return {{0, rows}};
  return shrinking_pieces(rows, settings.pieces, settings.shrink);
}

chosen_schedule parse_schedule(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  const std::string name = parts.empty() ? "" : parts.front();
  std::vector<std::string> names;
  for (const schedule& each : schedule_table()) names.emplace_back(each.name);
  const auto known = std::ranges::find(schedule_table(), name, &schedule::name);
  if (known == schedule_table().end()) {
    throw invalid_use(
        fmt::format("there is no schedule '{}'{}", name, console::did_you_mean(name, names)));
  }
  chosen_schedule chosen{&*known, {}};
  if (text.ends_with(':')) {
    throw invalid_use(
        fmt::format("schedule '{}' ends in a colon: give name=value behind it, or "
                    "leave it out",
                    text));
  }
  std::set<std::string> given;
  for (std::size_t at = 1; at < parts.size(); ++at) {
    const std::size_t equals = parts[at].find('=');
    if (equals == std::string::npos) {
      throw invalid_use(
          fmt::format("schedule '{}': '{}' is no setting: give name=value, as in "
                      "chunked:pieces=4",
                      text, parts[at]));
    }
    if (!given.insert(parts[at].substr(0, equals)).second) {
      throw invalid_use(fmt::format("schedule '{}' has '{}' twice: give it once", text,
                                    parts[at].substr(0, equals)));
    }
    set(chosen, parts[at].substr(0, equals), parts[at].substr(equals + 1));
  }
  return chosen;
}

}  // namespace ithaca::bench
