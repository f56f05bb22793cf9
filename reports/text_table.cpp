#include "reports/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ithaca::reports {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_first_column = 8;

std::string shortened(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 1) + "~";
}

}  // namespace

text_table::text_table(std::vector<std::string> header) : rows_{std::move(header)} {}

void text_table::add_row(std::vector<std::string> cells) {
  if (cells.size() != rows_.front().size()) {
    throw std::invalid_argument(fmt::format("a row of {} cells in a table of {} columns",
                                            cells.size(), rows_.front().size()));
  }
  rows_.push_back(std::move(cells));
}

std::string text_table::to_string(std::size_t indent, std::size_t width) const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  const std::size_t others =
      std::accumulate(widths.begin() + 1, widths.end(), indent + gap * (widths.size() - 1));
  const std::size_t left = width > others ? width - others : 0;
  widths[0] = std::min(widths[0], std::max(left, least_first_column));

  std::string text;
  for (const auto& row : rows_) {
    text += fmt::format("{:{}}{:<{}}", "", indent, shortened(row[0], widths[0]), widths[0]);
    for (std::size_t column = 1; column < row.size(); ++column) {
      text += fmt::format("{:>{}}", row[column], widths[column] + gap);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string wrap(const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string lines;
  std::string line;
  const auto finish_line = [&] {
    if (!line.empty()) lines += fmt::format("{:{}}{}\n", "", indent, line);
    line.clear();
  };
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) finish_line();
    line += line.empty() ? word : " " + word;
  }
  finish_line();
  return lines;
}

}  // namespace ithaca::reports
