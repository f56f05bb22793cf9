#include "traces/lanes.hpp"

namespace ithaca::traces {

std::uint32_t lanes::place(std::int64_t start_ns, std::int64_t end_ns) {
  for (std::uint32_t lane = 0; lane < count(); ++lane) {
    std::vector<std::int64_t>& ends = open_ends_[lane];
    while (!ends.empty() && ends.back() <= start_ns) ends.pop_back();
    if (ends.empty() || end_ns <= ends.back()) {
      ends.push_back(end_ns);
      return lane;
    }
  }
  open_ends_.push_back({end_ns});
  return count() - 1;
}

}  // namespace ithaca::traces
