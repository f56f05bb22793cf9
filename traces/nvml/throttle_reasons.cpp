#include "traces/nvml/throttle_reasons.hpp"

#include <fmt/format.h>

namespace ithaca::traces {
namespace {

struct reason {
  std::uint64_t bit;
  const char* words;
};

constexpr std::uint64_t no_throttling = 0x1 | 0x2 | 0x100;  // idle, set clocks, display clocks

constexpr reason reasons[] = {{0x4, "power cap"},
                              {0x8, "hardware slowdown"},
                              {0x10, "sync boost"},
                              {0x20, "software thermal slowdown"},
                              {0x40, "hardware thermal slowdown"},
                              {0x80, "power brake"},
                              {0x200, "board limit"},
                              {0x400, "reliability"}};

}  // namespace

std::vector<std::string> throttle_reasons(std::uint64_t bits) {
  std::vector<std::string> words;
  std::uint64_t rest = bits & ~no_throttling;
  for (const reason& each : reasons) {
    if (rest & each.bit) words.emplace_back(each.words);
    rest &= ~each.bit;
  }
  if (rest != 0) words.push_back(fmt::format("unknown reason {:#x}", rest));
  return words;
}

}  // namespace ithaca::traces
