#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ithaca::traces {

/// "12.345": microseconds. Not of negative times.
std::string us(std::int64_t ns);

/// Lines of cells as text: the first columns to the left, numbers to the right.
class columns {
 public:
  columns(std::vector<std::string> titles, std::size_t left) : left_(left) {
    lines_.push_back(std::move(titles));
  }
  /// As many cells as there are titles.
  void add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }
  /// Empty where nothing was added.
  std::string text() const;

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace ithaca::traces
