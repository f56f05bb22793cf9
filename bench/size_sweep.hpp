#pragma once

#include <cstddef>
#include <string_view>

namespace ithaca::bench {

/// Sizes of exchanges instead of shapes of models: the bytes that a rank sends to each peer, all
/// tensors together, from `least` to `most` by a factor; and the bytes of a row, that is of one
/// token's heads that go to one peer.
struct size_sweep {
  std::size_t least_bytes = 0;
  std::size_t most_bytes = 0;
  int factor = 2;
  std::size_t row_bytes = 4096;
  bool operator==(const size_sweep&) const = default;
};

/// "64K:256M:4" (K, M and G are powers of 1024). Throws `invalid_use` for anything else.
size_sweep parse_size_sweep(std::string_view text);

}  // namespace ithaca::bench
