#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace ithaca::validation {

/// A check on ranks of an exchanger as GoogleTest wants its name: letters, digits and underscores.
inline std::string test_name(std::string_view exchanger, std::string_view check, int ranks) {
  std::string name(exchanger);
  name += "__";
  for (const char each : check) {
    name += std::isalnum(static_cast<unsigned char>(each)) ? each : '_';
  }
  return name + "__" + std::to_string(ranks) + "_ranks";
}

}  // namespace ithaca::validation
