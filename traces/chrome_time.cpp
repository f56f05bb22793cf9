#include "traces/chrome_time.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace ithaca::traces {

std::optional<std::int64_t> chrome_time_ns(std::string_view text, std::string& wrong) {
  if (text.empty()) {
    wrong = "is missing";
    return {};
  }
  if (text.front() == '-') {
    wrong = "is negative";
    return {};
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view decimals = text.substr(std::min(point + 1, text.size()));
  std::int64_t us = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + point, us);
  const bool digits =
      std::all_of(decimals.begin(), decimals.end(), [](char c) { return c >= '0' && c <= '9'; });
  constexpr std::int64_t most_us = INT64_MAX / 4000;  // so that ts + dur fits, too
  if (error != std::errc() || stopped != text.data() + point || !digits || us > most_us) {
    wrong = "is no plain decimal number of microseconds";
    return {};
  }
  if (decimals.size() > 3) {
    wrong = "has more than three decimals";
    return {};
  }
  std::int64_t ns = us * 1000;
  std::int64_t unit = 100;
  for (const char digit : decimals) {
    ns += (digit - '0') * unit;
    unit /= 10;
  }
  return ns;
}

std::optional<std::uint32_t> chrome_id(std::string_view text) {
  std::uint32_t value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stopped != text.data() + text.size() || value > 0x7fffffff) return {};
  return value;
}

}  // namespace ithaca::traces
