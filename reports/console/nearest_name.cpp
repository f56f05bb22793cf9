#include "reports/console/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace ithaca::console {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the distance matrix: a swap looks two rows back.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> here(b.size() + 1);
  std::iota(here.begin(), here.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(here);
    here[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      here[j] = std::min({replaced, above[j] + 1, here[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        here[j] = std::min(here[j], before[j - 2] + 1);
      }
    }
  }
  return here.back();
}

std::string nearest_name(std::string_view wanted, std::span<const std::string> known) {
  const auto distance = [&](const std::string& name) { return edit_distance(wanted, name); };
  const auto nearest = std::ranges::min_element(known, {}, distance);
  if (nearest == known.end()) return {};
  if (distance(*nearest) <= std::max<std::size_t>(1, wanted.size() / 3)) return *nearest;
  const auto longer = std::ranges::find_if(
      known, [&](const std::string& name) { return !wanted.empty() && name.starts_with(wanted); });
  return longer == known.end() ? std::string{} : *longer;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> known) {
  const std::string nearest = nearest_name(wanted, known);
  if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  return fmt::format("; known are '{}'", fmt::join(known, "', '"));
}

}  // namespace ithaca::console
