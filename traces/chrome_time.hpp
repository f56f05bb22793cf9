#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ithaca::traces {

/// Microseconds as a Chrome trace writes them, in nanoseconds: not negative, with at most three
/// decimals, and below a quarter of what 64 bits hold, so that sums fit, too. Otherwise empty, and
/// `wrong` goes on where "a ts that" ends.
std::optional<std::int64_t> chrome_time_ns(std::string_view text, std::string& wrong);

/// A process or thread id: an unsigned integer that fits the 32 bits of an importer, with room for
/// a sign.
std::optional<std::uint32_t> chrome_id(std::string_view text);

}  // namespace ithaca::traces
