#pragma once

#include <string_view>

namespace ithaca::bench {

/// What a sample spans. They are different metrics and never mixed.
enum class exchange_mode {
  isolated,            ///< one exchange, or one stage, behind the start gate
  pipelined,           ///< several exchanges back to back behind it
  communication_only,  ///< a stage without its computation
  compute_only,        ///< a stage without its exchange
  exchange_beside,     ///< exchanges while computations go on beside them
};

constexpr std::string_view to_string(exchange_mode mode) {
  switch (mode) {
    case exchange_mode::isolated:
      return "isolated";
    case exchange_mode::pipelined:
      return "pipelined";
    case exchange_mode::communication_only:
      return "communication-only";
    case exchange_mode::compute_only:
      return "compute-only";
    case exchange_mode::exchange_beside:
      break;
  }
  return "exchange-beside";
}

}  // namespace ithaca::bench
