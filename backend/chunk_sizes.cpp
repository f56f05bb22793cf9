#include "backend/chunk_sizes.hpp"

#include <algorithm>

namespace ithaca {

std::size_t whole_chunk_bytes(std::span<const tensor_spec> specs, int from, int to) {
  std::size_t bytes = 0;
  for (const tensor_spec& spec : specs) {
    const tensor_geometry& tensor = spec.geometry;
    for (const pitched_copy& copy :
         plan_exchange(tensor, from, tensor.whole_source(from), tensor.contiguous_source(from))) {
      if (copy.peer == to) bytes += copy.bytes();
    }
  }
  return bytes;
}

std::size_t largest_chunk_bytes(std::span<const tensor_spec> specs) {
  if (specs.empty()) return 0;
  std::size_t largest = 0;
  const int degree = specs.front().geometry.layout.degree();
  for (int from = 0; from < degree; ++from) {
    for (int to = 0; to < degree; ++to) {
      largest = std::max(largest, whole_chunk_bytes(specs, from, to));
    }
  }
  return largest;
}

std::size_t padded_bytes(std::span<const tensor_spec> specs, int rank) {
  if (specs.empty()) return 0;
  const std::size_t largest = largest_chunk_bytes(specs);
  std::size_t padding = 0;
  for (int to = 0; to < specs.front().geometry.layout.degree(); ++to) {
    if (to != rank) padding += largest - whole_chunk_bytes(specs, rank, to);
  }
  return padding;
}

}  // namespace ithaca
