#include "bench/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <limits>

#include "backend/errors.hpp"

namespace ithaca::bench {
namespace {

/// Q, K, V and O in the widest element type.
constexpr std::int64_t most_bytes_an_element = 4 * 4;

bool fits(std::initializer_list<std::int64_t> factors) {
  std::int64_t left = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t factor : factors) left /= factor;
  return left > 0;
}

}  // namespace

void check(const shape& of) {
  const auto require = [&](bool holds, const std::string& otherwise) {
    if (!holds) throw invalid_use(fmt::format("shape '{}': {}", of.name, otherwise));
  };
  const auto positive = [&](std::string_view field, std::int64_t value) {
    require(value > 0, fmt::format("{} is {}, not positive", field, value));
  };
  require(!of.name.empty(), "the name is empty");
  positive("batch", of.batch);
  positive("tokens", of.tokens);
  positive("heads", of.heads);
  positive("kv_heads", of.kv_heads);
  positive("head_dim", of.head_dim);
  positive("hidden", of.hidden);
  require(of.heads % of.kv_heads == 0,
          fmt::format("kv_heads is {}, which does not divide {} heads", of.kv_heads, of.heads));
  require(std::ranges::find(qk_norms, of.qk_norm) != std::end(qk_norms),
          fmt::format("qk_norm is '{}'; known are '{}'", of.qk_norm, fmt::join(qk_norms, "', '")));
  require(of.qkv_projection == "fused" || of.qkv_projection == "split",
          fmt::format("qkv_projection is '{}'; known are 'fused', 'split'", of.qkv_projection));
  require(fits({of.batch, of.tokens, of.heads, of.head_dim, most_bytes_an_element}) &&
              fits({of.batch, of.tokens, of.hidden, most_bytes_an_element}),
          "its bytes overflow 63 bits");
}

shape parse_shape(std::string_view text) {
  std::array<std::int64_t, 4> sizes{};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t index = 0; index < sizes.size(); ++index) {
    const auto [stop, error] = std::from_chars(at, end, sizes[index]);
    const bool last = index + 1 == sizes.size();
    if (error != std::errc{} || (last ? stop != end : stop == end || *stop != ',')) {
      throw invalid_use(fmt::format(
          "--shape '{}' is no shape: give batch,tokens,heads,head size as whole numbers, for "
          "example 1,18944,28,128",
          text));
    }
    at = last ? stop : stop + 1;
  }
  shape parsed;
  parsed.name = fmt::format("{}", fmt::join(sizes, "x"));
  parsed.batch = sizes[0];
  parsed.tokens = sizes[1];
  parsed.heads = parsed.kv_heads = sizes[2];
  parsed.head_dim = sizes[3];
  // Checked before they are multiplied.
  parsed.hidden = 1;
  check(parsed);
  parsed.hidden = parsed.heads * parsed.head_dim;
  return parsed;
}

}  // namespace ithaca::bench
