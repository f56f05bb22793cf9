#include "reports/console/unknown_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/console/nearest_name.hpp"

namespace ithaca::console {

void refuse_unknown_command(const std::string& wanted, std::span<const std::string> known) {
  if (std::ranges::find(known, wanted) != known.end()) return;
  throw std::invalid_argument(
      fmt::format("'{}' is no command{}", wanted, did_you_mean(wanted, known)));
}

void refuse_unknown_option(const CLI::App& app, std::span<char* const> words) {
  std::vector<std::string> known;
  for (const CLI::Option* each : app.get_options()) {
    for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string word : words) {
    if (word == "--") return;
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || std::ranges::find(known, name) != known.end()) continue;
    throw std::invalid_argument(
        fmt::format("there is no option {}{}", name, did_you_mean(name, known)));
  }
}

}  // namespace ithaca::console
