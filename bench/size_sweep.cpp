#include "bench/size_sweep.hpp"

#include <charconv>
#include <limits>
#include <string>

#include "backend/errors.hpp"

namespace ithaca::bench {
namespace {

/// A whole number with an optional K, M or G; 0 for anything else.
std::size_t parse_size(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return 0;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  if (shift < 0 || value > (std::numeric_limits<std::size_t>::max() >> (shift + 20))) return 0;
  return value << shift;
}

}  // namespace

size_sweep parse_size_sweep(std::string_view text) {
  const std::size_t first = text.find(':');
  const std::size_t second = first == text.npos ? text.npos : text.find(':', first + 1);
  size_sweep sweep;
  if (second != text.npos) {
    sweep.least_bytes = parse_size(text.substr(0, first));
    sweep.most_bytes = parse_size(text.substr(first + 1, second - first - 1));
    const std::size_t factor = parse_size(text.substr(second + 1));
    sweep.factor = factor <= 1024 ? static_cast<int>(factor) : 0;
  }
  if (sweep.least_bytes == 0 || sweep.most_bytes < sweep.least_bytes || sweep.factor < 2) {
    throw invalid_use("--bytes " + std::string(text) +
                      " is no range of sizes: give least, most and factor, e.g. 64K:256M:4");
  }
  return sweep;
}

}  // namespace ithaca::bench
