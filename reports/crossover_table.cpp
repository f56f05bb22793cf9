#include "reports/crossover_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reports/figures.hpp"
#include "reports/sweep.hpp"
#include "reports/text_table.hpp"
#include "reports/verdict.hpp"

namespace ithaca::reports {
namespace {

constexpr std::size_t width = 120;
constexpr std::size_t sizes_a_table = 9;

std::string size_of(const std::string& shape) { return shape.substr(0, shape.find("-a-peer")); }

/// The different arms, in the order of the cells.
std::vector<std::string> arms_of(const sweep& cells) {
  std::vector<std::string> all;
  for (const cell* each : cells) {
    if (std::ranges::find(all, each->key.arm) == all.end()) all.push_back(each->key.arm);
  }
  return all;
}

std::string times(const sweep& cells, const std::vector<std::string>& arms,
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

/// Empty if no arm was measured that does a whole exchange.
std::string quickest_arm(const sweep& cells, const std::string& shape, const run_record& run) {
  const cell* best = nullptr;
  double best_us = 0;
  for (const cell* each : cells) {
    if (each->key.shape != shape || !competes(*each, run)) continue;
    const double time_us = find_metric(*each, "time_us")->value;
    if (best == nullptr || time_us < best_us) {
      best = each;
      best_us = time_us;
    }
  }
  return best != nullptr ? best->key.arm : "";
}

/// "quickest: push-exchange 60KiB to 4MiB; copy-engine 16MiB", and what was left out.
std::string quickest(const sweep& cells, const std::vector<std::string>& shapes,
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
  for (const sweep& cells : sweeps(of)) {
    const cell_key& key = cells.front()->key;
    const std::vector<std::string> shapes = shapes_of(cells);
    const std::vector<std::string> arms = arms_of(cells);
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
