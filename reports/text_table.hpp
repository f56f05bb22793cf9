#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ithaca::reports {

/// Columns of text for a terminal: the first aligned left, the others right.
class text_table {
 public:
  explicit text_table(std::vector<std::string> header);

  /// Throws `std::invalid_argument` unless there is one cell for each column.
  void add_row(std::vector<std::string> cells);

  /// One line for the header and each row, `indent` spaces before each. Where they would be longer
  /// than `width`, the texts of the first column are cut, down to eight characters.
  std::string to_string(std::size_t indent, std::size_t width) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// `text` in lines of at most `width` characters, broken between words, each after `indent` spaces.
/// A longer word keeps a line of its own.
std::string wrap(const std::string& text, std::size_t indent, std::size_t width);

}  // namespace ithaca::reports
