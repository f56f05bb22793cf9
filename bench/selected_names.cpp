#include "bench/selected_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backend/errors.hpp"
#include "reports/console/nearest_name.hpp"

namespace ithaca::bench {

std::vector<std::string> select_names(std::string_view what, std::span<const std::string> wanted,
                                      std::span<const std::string> known) {
  std::vector<std::string> selected;
  const auto select = [&](const std::string& name) {
    if (std::ranges::find(selected, name) == selected.end()) selected.push_back(name);
  };
  for (const std::string& name : wanted) {
    if (name == "all") {
      std::ranges::for_each(known, select);
    } else if (std::ranges::find(known, name) != known.end()) {
      select(name);
    } else {
      throw invalid_use(
          fmt::format("there is no {} '{}'{}", what, name, console::did_you_mean(name, known)));
    }
  }
  return selected;
}

}  // namespace ithaca::bench
