#include "traces/commands/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ithaca::traces {

std::string us(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

std::string columns::text() const {
  if (lines_.size() == 1) return "";
  std::vector<std::size_t> widths(lines_.front().size());
  for (const auto& line : lines_) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const auto& line : lines_) {
    std::string whole;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i > 0) whole += "  ";
      whole += i < left_ ? fmt::format("{:<{}}", line[i], widths[i])
                         : fmt::format("{:>{}}", line[i], widths[i]);
    }
    whole.erase(whole.find_last_not_of(' ') + 1);
    text += whole + '\n';
  }
  return text;
}

}  // namespace ithaca::traces
