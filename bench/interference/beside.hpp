#pragma once

#include <array>
#include <string_view>

namespace ithaca::bench {

/// What is computed beside an exchange, again and again.
enum class beside {
  matmul,  ///< the projection of the rank's rows to Q, K and V
  norm     ///< norm and RoPE of Q and K
};

inline constexpr std::array all_beside = {beside::matmul, beside::norm};

constexpr std::string_view to_string(beside what) {
  return what == beside::matmul ? "matmul" : "norm";
}

/// Of a cell's schedule. `name` is one of the two.
constexpr beside parse_beside(std::string_view name) {
  return name == to_string(beside::matmul) ? beside::matmul : beside::norm;
}

}  // namespace ithaca::bench
