#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/device.hpp"
#include "backend/element_type.hpp"

namespace ithaca::bench {

// The value of a flag as typed, as what it stands for. Each throws `invalid_use` with a sentence
// that names flag and value and says what to give.

int whole_number(std::string_view flag, const std::string& text, int least, int most);
std::uint64_t any_count(std::string_view flag, const std::string& text);
/// A positive time of at most a day, with fractions.
std::chrono::milliseconds seconds(std::string_view flag, const std::string& text);
std::string not_empty(std::string_view flag, const std::string& text);
std::string one_of(std::string_view flag, const std::string& text,
                   const std::vector<std::string>& known);
/// Of --device, by name, where a program knows `known`; "auto" is empty: GPUs where every rank has
/// one.
std::optional<device_kind> parse_device(const std::string& text,
                                        const std::vector<device_kind>& known = {
                                            device_kind::cuda, device_kind::host});
/// Of --dtypes, by name.
std::vector<element_type> parse_dtypes(const std::vector<std::string>& names);
/// The names of comma-separated lists, in order and each once.
std::vector<std::string> split_names(std::string_view flag, const std::vector<std::string>& lists);

}  // namespace ithaca::bench
