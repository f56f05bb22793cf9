#pragma once

#include <string_view>

namespace ithaca::bench {

/// What a sample spans. The two are different metrics and never mixed.
enum class exchange_mode {
  isolated,   ///< one exchange behind the start gate
  pipelined,  ///< several exchanges back to back behind it
};

constexpr std::string_view to_string(exchange_mode mode) {
  return mode == exchange_mode::isolated ? "isolated" : "pipelined";
}

}  // namespace ithaca::bench
