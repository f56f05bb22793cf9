#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <random>

#include "backend/exchanger.hpp"

namespace ithaca {

/// Draws that are the same on every run.
class draws {
 public:
  explicit draws(std::uint32_t seed) : engine_(seed) {}
  /// From 0 to `most`, both included.
  std::int64_t up_to(std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(engine_);
  }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + up_to(most - least);
  }
  bool one_in(std::int64_t n) { return up_to(n - 1) == 0; }
  template <class Sequence>
  void shuffle(Sequence& sequence) {
    std::shuffle(sequence.begin(), sequence.end(), engine_);
  }

 private:
  std::mt19937 engine_;
};

/// Small layouts of every kind: even and uneven shares, ranks without tokens, as many KV heads as
/// query heads, fewer, fewer than ranks; odd head sizes; all element types.
inline head_layout random_layout(draws& draw) {
  constexpr std::array types = {element_type::bf16, element_type::fp16, element_type::fp32,
                                element_type::fp8};
  head_layout::extent of;
  of.batch = draw.between(1, 3);
  const auto degree = static_cast<int>(draw.between(2, 8));
  if (draw.one_in(3)) {
    of.sequence_shares = even_shares(draw.between(1, 2 * degree), degree);
  } else {
    for (int rank = 0; rank < degree; ++rank) of.sequence_shares.push_back(draw.up_to(4));
    of.sequence_shares[static_cast<std::size_t>(draw.up_to(degree - 1))] += 1;
  }
  // The query heads are the smallest multiple of the KV heads that serves every rank, or more.
  of.kv_heads = draw.one_in(4) ? degree * draw.between(1, 2) : draw.between(1, 9);
  const std::int64_t least_group = (degree + of.kv_heads - 1) / of.kv_heads;
  of.query_heads = of.kv_heads * draw.between(least_group, least_group + 2);
  of.head_dim = draw.between(1, 7);
  of.type = types[static_cast<std::size_t>(draw.up_to(3))];
  return head_layout(of);
}

/// 28 query heads that read 7 KV heads: a KV head can go to two ranks.
inline head_layout seven_kv_heads_on_four_ranks() {
  return head_layout({2, {3, 0, 5, 1}, 28, 7, 5, element_type::bf16});
}

inline std::ostream& operator<<(std::ostream& out, const head_layout& layout) {
  return out << describe({"layout", {layout, head_set::query, direction::scatter}});
}

}  // namespace ithaca
