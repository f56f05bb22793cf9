#include "bench/sized_scenarios.hpp"

#include <algorithm>
#include <string>

#include "backend/errors.hpp"

namespace ithaca::bench {
namespace {

constexpr std::int64_t head_dim = 128;

std::string size_name(std::size_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (unit < 3 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + units[unit];
}

shape sized_shape(std::size_t bytes, std::size_t row_bytes, element_type type, int degree,
                  direction way) {
  const std::size_t head_bytes = static_cast<std::size_t>(head_dim) * size_bytes(type);
  if (row_bytes == 0 || row_bytes % head_bytes != 0) {
    throw invalid_use("--row-bytes " + std::to_string(row_bytes) + " is no multiple of " +
                      std::to_string(head_bytes) + ", a head of 128 elements of " +
                      std::string(to_string(type)));
  }
  const std::size_t tensors = way == direction::scatter ? 3 : 1;
  const std::size_t rows = std::max<std::size_t>(1, bytes / (tensors * row_bytes));
  shape made;
  made.name = size_name(rows * tensors * row_bytes) + "-a-peer";
  made.tokens = static_cast<std::int64_t>(rows) * degree;
  made.heads = static_cast<std::int64_t>(row_bytes / head_bytes) * degree;
  made.kv_heads = made.heads;
  made.head_dim = head_dim;
  made.hidden = made.heads * head_dim;
  check(made);
  return made;
}

}  // namespace

std::vector<scenario> scenarios_of(const size_sweep& sweep, const std::vector<element_type>& types,
                                   const std::vector<int>& degrees, direction way) {
  std::vector<scenario> all;
  for (std::size_t bytes = sweep.least_bytes; bytes <= sweep.most_bytes;
       bytes *= static_cast<std::size_t>(sweep.factor)) {
    for (const element_type type : types) {
      for (const int degree : degrees) {
        const shape sized = sized_shape(bytes, sweep.row_bytes, type, degree, way);
        const bool known = std::ranges::any_of(all, [&](const scenario& each) {
          return each.what.chosen == sized && each.type == type && each.degree == degree;
        });
        if (!known) all.push_back({{sized, true}, type, degree, way});
      }
    }
  }
  return all;
}

}  // namespace ithaca::bench
