#include "traces/name_table.hpp"

namespace ithaca::traces {

std::uint32_t name_table::number_of(std::string_view name) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(names_.size());
  numbers_.emplace(names_.emplace_back(name), number);
  return number;
}

}  // namespace ithaca::traces
