#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ithaca::traces {

/// Names that occur over and over, each kept once and known by a number.
class name_table {
 public:
  /// The number of `name`, from 0 in the order in which names come.
  std::uint32_t number_of(std::string_view name);
  const std::string& operator[](std::uint32_t number) const { return names_[number]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;  ///< none moves: the keys below look into them
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

}  // namespace ithaca::traces
