#pragma once

#include <cstdint>

namespace ithaca::kernels {

/// Whether `count` elements from `begin` on lie within `extent`.
inline bool inside(std::int64_t begin, std::int64_t count, std::int64_t extent) {
  return begin >= 0 && count >= 0 && begin <= extent && count <= extent - begin;
}

}  // namespace ithaca::kernels
