#include "backend/exchanger.hpp"

namespace ithaca {

std::string describe(const tensor_spec& spec) {
  const head_layout::extent& of = spec.geometry.layout.extents();
  std::string text = spec.tag;
  text += spec.geometry.way == direction::scatter ? " scatter" : " gather";
  text += spec.geometry.heads == head_set::query ? " of query heads" : " of KV heads";
  text += ", batch " + std::to_string(of.batch) + ", tokens";
  for (const std::int64_t share : of.sequence_shares) text += " " + std::to_string(share);
  text += ", " + std::to_string(of.query_heads) + "/" + std::to_string(of.kv_heads) + " heads x " +
          std::to_string(of.head_dim) + ", " + std::string(to_string(of.type));
  if (spec.own == own_chunk::produced) text += ", own chunk produced";
  return text;
}

}  // namespace ithaca
