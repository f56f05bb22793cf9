#include "reports/sweep.hpp"

#include <algorithm>
#include <cstddef>

#include "reports/figures.hpp"

namespace ithaca::reports {
namespace {

/// The best arm, then those that can't be told from it; empty where none competes.
std::vector<std::string> choices_at(const std::string& shape, const sweep& cells,
                                    std::span<const verdict> judged) {
  std::vector<std::string> arms;
  for (const verdict& each : judged) {
    if (each.best == nullptr || each.best->key.shape != shape ||
        std::ranges::find(cells, each.best) == cells.end()) {
      continue;
    }
    arms.push_back(each.best->key.arm);
    for (const cell* other : each.as_quick) arms.push_back(other->key.arm);
  }
  return arms;
}

/// At how many places, from `first` on, `arm` is among the choices.
std::size_t reach(const std::string& arm, std::size_t first,
                  std::span<const std::vector<std::string>> choices) {
  std::size_t at = first;
  while (at < choices.size() && std::ranges::find(choices[at], arm) != choices[at].end()) ++at;
  return at - first;
}

choice_range longest_from(std::size_t first, std::span<const std::string> shapes,
                          std::span<const std::vector<std::string>> choices) {
  choice_range longest{"", shapes[first], shapes[first]};
  std::size_t length = 0;
  for (const std::string& arm : choices[first]) {
    if (const std::size_t reached = reach(arm, first, choices); reached > length) {
      length = reached;
      longest = {arm, shapes[first], shapes[first + length - 1]};
    }
  }
  return longest;
}

}  // namespace

std::vector<sweep> sweeps(const report& of) {
  std::vector<sweep> all;
  for (const cell& each : of.cells) {
    if (each.status != cell_status::measured) continue;
    const auto found = std::ranges::find_if(all, [&](const sweep& cells) {
      const cell_key& key = cells.front()->key;
      return key.dtype == each.key.dtype && key.degree == each.key.degree &&
             key.mode == each.key.mode && key.schedule == each.key.schedule;
    });
    (found == all.end() ? all.emplace_back() : *found).push_back(&each);
  }
  return all;
}

std::vector<std::string> shapes_of(const sweep& cells) {
  std::vector<std::string> all;
  for (const cell* each : cells) {
    if (std::ranges::find(all, each->key.shape) == all.end()) all.push_back(each->key.shape);
  }
  return all;
}

std::optional<double> bytes_a_peer(const cell& of) {
  constexpr double bytes_per_gbps_us = 1e3;  // 1e9 bytes a second, for 1e-6 seconds
  const metric* const goodput = find_metric(of, "goodput_gbps");
  const metric* const time = find_metric(of, "time_us");
  if (goodput == nullptr || time == nullptr || of.key.degree < 2) return std::nullopt;
  return goodput->value * time->value * bytes_per_gbps_us / (of.key.degree - 1);
}

std::vector<choice_range> choice_ranges(const sweep& cells, std::span<const std::string> shapes,
                                        std::span<const verdict> judged) {
  std::vector<std::vector<std::string>> choices;
  for (const std::string& shape : shapes) choices.push_back(choices_at(shape, cells, judged));
  std::vector<choice_range> ranges;
  for (std::size_t at = 0; at < shapes.size();) {
    ranges.push_back(longest_from(at, shapes, choices));
    at = static_cast<std::size_t>(std::ranges::find(shapes, ranges.back().last_shape) -
                                  shapes.begin()) +
         1;
  }
  return ranges;
}

}  // namespace ithaca::reports
