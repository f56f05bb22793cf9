#include "bench/shape_choice.hpp"

#include <algorithm>
#include <string>

#include "bench/selected_names.hpp"

namespace ithaca::bench {
namespace {

std::vector<std::string> names_for(const exchange_options& options) {
  if (!options.shapes.empty() || !options.own_shapes.empty()) return options.shapes;
  if (options.sizes) return {};
  if (options.scenarios) return {"all"};
  return {default_shapes.begin(), default_shapes.end()};
}

}  // namespace

std::filesystem::path scenarios_file(const exchange_options& options) {
  return options.scenarios.value_or(ITHACA_SCENARIOS_FILE);
}

std::vector<shape_choice> choose_shapes(const exchange_options& options,
                                        const shape_catalog& catalog) {
  std::vector<shape_choice> choices;
  for (const std::string& name : select_names("shape", names_for(options), catalog.names())) {
    const bool by_name = std::ranges::find(options.shapes, name) != options.shapes.end();
    choices.push_back({catalog.find(name), by_name});
  }
  for (const shape& own : options.own_shapes) {
    if (std::ranges::find(choices, own.name, [](const shape_choice& choice) {
          return choice.chosen.name;
        }) == choices.end()) {
      choices.push_back({own, true});
    }
  }
  return choices;
}

}  // namespace ithaca::bench
