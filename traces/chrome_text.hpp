#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace ithaca::traces {

/// The text of a Chrome trace on its way into a stream, a piece at a time. Throws
/// `std::runtime_error` if that fails.
class chrome_text {
 public:
  explicit chrome_text(std::ostream& out) : out_(out) {}

  /// What stands before the events.
  void begin(const nlohmann::json& other_data);
  /// Events follow each other with nothing else between them.
  void begin_event();
  /// What stands behind the events.
  void end();

  template <class Format, class... Values>
  void put(const Format& format, const Values&... values) {
    fmt::format_to(std::back_inserter(buffer_), format, values...);
  }
  void put_string(std::string_view text);
  void put_json(const nlohmann::json& value);
  /// Nanoseconds, not negative, as microseconds with three decimals.
  void put_us(std::int64_t ns) { put(FMT_COMPILE("{}.{:03}"), ns / 1000, ns % 1000); }

 private:
  void flush();

  std::ostream& out_;
  fmt::memory_buffer buffer_;
  bool first_event_ = true;
};

}  // namespace ithaca::traces
