#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ithaca::bench {

/// The tensors of one attention layer. Sizes are global, over all ranks of a group.
struct shape {
  std::string name;
  std::int64_t batch = 1;
  std::int64_t tokens = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t hidden = 0;               ///< width of the layer's input
  std::string qk_norm = "none";          ///< one of `qk_norms`
  std::string qkv_projection = "split";  ///< "fused" or "split"
  bool verified = false;                 ///< checked against the model's own files
  std::string tokens_note = {};          ///< how the tokens come about
  std::string source = {};               ///< where the figures come from
  bool operator==(const shape&) const = default;
};

inline constexpr std::string_view qk_norms[] = {"none", "per-head RMSNorm", "RMSNorm over hidden",
                                                "LayerNorm per head"};

/// Throws `invalid_use`, naming the shape and the field, unless every size is positive, KV heads
/// divide the heads, the texts are known ones, and the bytes of Q, K, V and O together fit into 63
/// bits for every element type.
void check(const shape& of);

/// "1,18944,28,128" (batch, tokens, heads, head size) as a shape named "1x18944x28x128", with as
/// many KV heads as heads. Throws `invalid_use` for anything else.
shape parse_shape(std::string_view text);

}  // namespace ithaca::bench
