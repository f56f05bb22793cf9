#include "traces/chrome_text.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

namespace ithaca::traces {
namespace {

constexpr std::size_t flush_bytes = std::size_t{1} << 20;

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
}

}  // namespace

void chrome_text::begin(const nlohmann::json& other_data) {
  put(FMT_COMPILE(R"({{"displayTimeUnit":"ns","otherData":)"));
  put_json(other_data);
  put(FMT_COMPILE(R"(,"traceEvents":[)"));
}

void chrome_text::begin_event() {
  if (buffer_.size() >= flush_bytes) flush();
  put(FMT_COMPILE("{}"), first_event_ ? "\n" : ",\n");
  first_event_ = false;
}

void chrome_text::end() {
  put(FMT_COMPILE("\n]}}\n"));
  flush();
}

void chrome_text::put_string(std::string_view text) {
  if (std::ranges::all_of(text, is_plain)) {
    put(FMT_COMPILE("\"{}\""), text);
  } else {
    put_json(text);
  }
}

void chrome_text::put_json(const nlohmann::json& value) {
  put(FMT_COMPILE("{}"), value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

void chrome_text::flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
  if (!out_) throw std::runtime_error("the trace could not be written");
}

}  // namespace ithaca::traces
