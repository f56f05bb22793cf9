#include "bench/option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "backend/errors.hpp"
#include "reports/console/nearest_name.hpp"

namespace ithaca::bench {
namespace {

constexpr double longest_timeout_s = 86'400;

template <typename number>
std::optional<number> parse_number(std::string_view text) {
  number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

int whole_number(std::string_view flag, const std::string& text, int least, int most) {
  const std::optional<int> value = parse_number<int>(text);
  if (!value || *value < least || *value > most) {
    throw invalid_use(
        fmt::format("{} '{}': give a whole number from {} to {}", flag, text, least, most));
  }
  return *value;
}

std::chrono::milliseconds seconds(std::string_view flag, const std::string& text) {
  const std::optional<double> value = parse_number<double>(text);
  if (!value || !(*value >= 0.001 && *value <= longest_timeout_s)) {
    throw invalid_use(fmt::format("{} '{}': give seconds, more than 0 and at most {}", flag, text,
                                  longest_timeout_s));
  }
  return std::chrono::milliseconds(std::llround(*value * 1000));
}

std::vector<std::string> split_names(std::string_view flag, const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    std::istringstream items(list + ",");
    for (std::string name; std::getline(items, name, ',');) {
      if (name.empty()) throw invalid_use(fmt::format("{} '{}' has an empty name", flag, list));
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::string one_of(std::string_view flag, const std::string& text,
                   const std::vector<std::string>& known) {
  if (std::ranges::find(known, text) == known.end()) {
    throw invalid_use(
        fmt::format("{} '{}' is unknown{}", flag, text, console::did_you_mean(text, known)));
  }
  return text;
}

std::optional<device_kind> parse_device(const std::string& text,
                                        const std::vector<device_kind>& known) {
  std::vector<std::string> names = {"auto"};
  for (const device_kind each : known) names.emplace_back(to_string(each));
  const std::string device = one_of("--device", text, names);
  const auto found = std::ranges::find(known, device, [](device_kind k) { return to_string(k); });
  if (found == known.end()) return std::nullopt;
  return *found;
}

std::vector<element_type> parse_dtypes(const std::vector<std::string>& names) {
  std::vector<element_type> types;
  for (const std::string& name : names) {
    types.push_back(*parse_element_type(one_of("--dtypes", name, {"bf16", "fp16", "fp32", "fp8"})));
  }
  return types;
}

std::uint64_t any_count(std::string_view flag, const std::string& text) {
  const std::optional<std::uint64_t> value = parse_number<std::uint64_t>(text);
  if (!value) {
    throw invalid_use(fmt::format("{} '{}': give a whole number from 0 to 2^64 - 1", flag, text));
  }
  return *value;
}

std::string not_empty(std::string_view flag, const std::string& text) {
  if (text.empty()) throw invalid_use(fmt::format("{} is empty", flag));
  return text;
}

}  // namespace ithaca::bench
