#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "backend/head_layout.hpp"

namespace ithaca::bench {

/// The tensors of a projection, in the order of its columns.
enum class qkv_tensor { q, k, v };

inline constexpr std::array all_qkv = {qkv_tensor::q, qkv_tensor::k, qkv_tensor::v};

constexpr std::size_t index_of(qkv_tensor tensor) { return static_cast<std::size_t>(tensor); }

constexpr std::string_view to_string(qkv_tensor tensor) {
  constexpr std::array<std::string_view, 3> names = {"q", "k", "v"};
  return names[index_of(tensor)];
}

constexpr head_set set_of(qkv_tensor tensor) {
  return tensor == qkv_tensor::q ? head_set::query : head_set::kv;
}

/// The tag of a tensor's part: "q" where heads are not parted, otherwise "q.0", "q.1", ...
inline std::string tag_of(qkv_tensor tensor, int part, int parts) {
  std::string tag(to_string(tensor));
  return parts == 1 ? tag : tag + "." + std::to_string(part);
}

}  // namespace ithaca::bench
