#include "bench/stage/stage_sizes.hpp"

#include <algorithm>

#include "backend/errors.hpp"

namespace ithaca::bench {
namespace {

/// What the kernels and libraries read in one access.
constexpr std::int64_t elements_an_access = 8;

kernels::norm_scope norm_of(const shape& of) {
  if (of.qk_norm == "per-head RMSNorm") return kernels::norm_scope::head;
  if (of.qk_norm == "RMSNorm over hidden") return kernels::norm_scope::hidden;
  return kernels::norm_scope::none;
}

bool is_power_of_two(std::int64_t number) { return number > 0 && (number & (number - 1)) == 0; }

}  // namespace

std::string why_no_stage(const scenario& of) {
  const shape& shape = of.what.chosen;
  if (of.type != element_type::bf16) return "a stage computes in bf16: leave out other --dtypes";
  if (shape.qk_norm == "LayerNorm per head") return "there is no kernel for its LayerNorm";
  if (shape.head_dim % 16 != 0 || shape.head_dim > kernels::max_norm_rope_head_dim) {
    return "the norm and RoPE kernel takes heads of a multiple of 16 channels, up to " +
           std::to_string(kernels::max_norm_rope_head_dim);
  }
  if (norm_of(shape) == kernels::norm_scope::head && !is_power_of_two(shape.head_dim / 16)) {
    return "the norm kernel takes heads of 16 channels times a power of two";
  }
  if (norm_of(shape) == kernels::norm_scope::hidden &&
      shape.heads * shape.head_dim > kernels::max_norm_rope_channels) {
    return "the norm kernel takes rows of at most " +
           std::to_string(kernels::max_norm_rope_channels) + " channels";
  }
  if (shape.hidden % elements_an_access != 0) return "its hidden size is no multiple of 8";
  return "";
}

stage_sizes::stage_sizes(const scenario& of)
    : layout_(layout_of(of)), hidden_(of.what.chosen.hidden), norm_(norm_of(of.what.chosen)) {}

std::int64_t stage_sizes::first_position(int rank) const {
  return layout_.sequence(rank).begin + rank * window;
}

std::int64_t stage_sizes::positions() const {
  return first_position(layout_.degree() - 1) + stored_rows(layout_.degree() - 1);
}

std::int64_t stage_sizes::heads(qkv_tensor tensor) const {
  return layout_.head_count(set_of(tensor));
}

std::int64_t stage_sizes::first_head(qkv_tensor tensor) const {
  std::int64_t first = 0;
  for (const qkv_tensor before : all_qkv) {
    if (before < tensor) first += heads(before);
  }
  return first;
}

std::int64_t stage_sizes::all_heads() const {
  return first_head(all_qkv.back()) + heads(all_qkv.back());
}

std::string stage_sizes::why_not_in_parts(int parts) const {
  if (heads(qkv_tensor::q) % parts != 0 || heads(qkv_tensor::k) % parts != 0) {
    return "its heads can't be halved: " + std::to_string(heads(qkv_tensor::q)) + " and " +
           std::to_string(heads(qkv_tensor::k)) + " KV heads";
  }
  try {
    layout_of_part(parts);
  } catch (const invalid_use& refused) {
    return std::string("a part of its heads can't be shared: ") + refused.what();
  }
  return "";
}

head_layout stage_sizes::layout_of_part(int parts) const {
  head_layout::extent part = layout_.extents();
  part.query_heads /= parts;
  part.kv_heads /= parts;
  return head_layout(part);
}

index_range stage_sizes::heads_of_part(qkv_tensor tensor, int part, int parts) const {
  const std::int64_t count = heads(tensor) / parts;
  return {part * count, count};
}

std::vector<tensor_spec> stage_sizes::specs(int parts, own_chunk own) const {
  const head_layout layout = layout_of_part(parts);
  std::vector<tensor_spec> specs;
  for (int part = 0; part < parts; ++part) {
    for (const qkv_tensor tensor : {qkv_tensor::v, qkv_tensor::q, qkv_tensor::k}) {
      specs.push_back(
          {tag_of(tensor, part, parts), {layout, set_of(tensor), direction::scatter}, own});
    }
  }
  return specs;
}

}  // namespace ithaca::bench
