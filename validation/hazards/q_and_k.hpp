#pragma once

#include <cstdint>
#include <vector>

#include "backend/exchanger.hpp"

namespace ithaca::validation {

/// Eight rows a rank, one head of each tensor for every rank.
inline std::vector<tensor_spec> q_and_k(int degree, std::int64_t batch = 1) {
  const head_layout layout({batch, even_shares(8 * degree, degree), degree, degree, 16});
  return {{"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

}  // namespace ithaca::validation
