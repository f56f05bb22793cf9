#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ithaca::sim {

/// Texts by number; 0 is the empty one.
class name_table {
 public:
  name_table() { number(""); }
  std::uint16_t number(std::string_view text) {
    const auto known = numbers_.find(text);
    if (known != numbers_.end()) return known->second;
    const auto made = static_cast<std::uint16_t>(texts_.size());
    numbers_.emplace(texts_.emplace_back(text), made);
    return made;
  }
  const std::string& text(std::uint16_t number) const { return texts_[number]; }

 private:
  std::deque<std::string> texts_;  // stay where they are
  std::unordered_map<std::string_view, std::uint16_t> numbers_;
};

}  // namespace ithaca::sim
