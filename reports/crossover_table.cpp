#include "reports/crossover_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "reports/figures.hpp"
#include "reports/text_table.hpp"

namespace ithaca::reports {
namespace {

constexpr std::size_t width = 120;
constexpr std::size_t sizes_a_table = 9;

/// The measured cells of one element type, degree and mode.
using family = std::vector<const cell*>;

std::vector<family> families_of(const report& of) {
  std::vector<family> families;
  for (const cell& each : of.cells) {
    if (each.status != cell_status::measured) continue;
    const auto same = [&](const family& cells) {
      const cell_key& key = cells.front()->key;
      return key.dtype == each.key.dtype && key.degree == each.key.degree &&
             key.mode == each.key.mode && key.schedule == each.key.schedule;
    };
    const auto found = std::ranges::find_if(families, same);
    (found == families.end() ? families.emplace_back() : *found).push_back(&each);
  }
  return families;
}

/// The different values of a field of the keys, in the order of the cells.
std::vector<std::string> values(const family& cells, std::string cell_key::*field) {
  std::vector<std::string> all;
  for (const cell* each : cells) {
    const std::string& value = each->key.*field;
    if (std::ranges::find(all, value) == all.end()) all.push_back(value);
  }
  return all;
}

std::string size_of(const std::string& shape) { return shape.substr(0, shape.find("-a-peer")); }

std::string times(const family& cells, const std::vector<std::string>& arms,
                  std::span<const std::string> shapes) {
  std::vector<std::string> header = {is_simulated(cells.front()->key) ? "simulated us" : "time us"};
  for (const std::string& shape : shapes) header.push_back(size_of(shape));
  text_table table(std::move(header));
  for (const std::string& arm : arms) {
    std::vector<std::string> row = {arm};
    for (const std::string& shape : shapes) {
      const auto found = std::ranges::find_if(cells, [&](const cell* each) {
        return each->key.arm == arm && each->key.shape == shape;
      });
      row.push_back(found == cells.end() ? "-" : figure(**found, "time_us"));
    }
    table.add_row(std::move(row));
  }
  return table.to_string(2, width);
}

/// An arm that leaves packing and laying out to its caller: not what an exchange takes.
bool is_bare(const std::string& arm) { return arm.ends_with("-bare"); }

/// Empty if no arm was measured that does a whole exchange.
std::string quickest_arm(const family& cells, const std::string& shape, const run_record& run) {
  const cell* best = nullptr;
  double best_us = 0;
  for (const cell* each : cells) {
    const std::string& arm = each->key.arm;
    const metric* const time = find_metric(*each, "time_us");
    if (each->key.shape != shape || arm == run.noise_floor_arm || is_bare(arm) || !time) continue;
    if (best == nullptr || time->value < best_us) {
      best = each;
      best_us = time->value;
    }
  }
  return best != nullptr ? best->key.arm : "";
}

/// "quickest: push-exchange 60KiB to 4MiB; copy-engine 16MiB", and what was left out.
std::string quickest(const family& cells, const std::vector<std::string>& shapes,
                     const run_record& run) {
  std::string text;
  for (std::size_t first = 0; first < shapes.size();) {
    const std::string arm = quickest_arm(cells, shapes[first], run);
    std::size_t last = first;
    while (last + 1 < shapes.size() && quickest_arm(cells, shapes[last + 1], run) == arm) ++last;
    text += fmt::format("{}{} {}", text.empty() ? "quickest: " : "; ", arm.empty() ? "none" : arm,
                        size_of(shapes[first]));
    if (last != first) text += " to " + size_of(shapes[last]);
    first = last + 1;
  }
  const bool any_bare =
      std::ranges::any_of(cells, [](const cell* each) { return is_bare(each->key.arm); });
  return any_bare ? text + " (bare arms, which leave out packing, do not compete)" : text;
}

}  // namespace

std::string crossover_table(const report& of) {
  std::string text;
  for (const family& cells : families_of(of)) {
    const cell_key& key = cells.front()->key;
    const std::vector<std::string> shapes = values(cells, &cell_key::shape);
    const std::vector<std::string> arms = values(cells, &cell_key::arm);
    text += fmt::format("{}{}  U{}  {}: bytes a rank sends to each peer\n",
                        text.empty() ? "" : "\n", key.dtype, key.degree, key.mode);
    for (std::size_t first = 0; first < shapes.size(); first += sizes_a_table) {
      text +=
          times(cells, arms,
                std::span(shapes).subspan(first, std::min(sizes_a_table, shapes.size() - first)));
    }
    text += wrap(quickest(cells, shapes, of.run), 2, width);
  }
  return text;
}

}  // namespace ithaca::reports
