#include "backend/exchanger.hpp"

#include <exception>

#include "backend/device.hpp"
#include "backend/errors.hpp"

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

std::string tags_of(std::span<const tensor_spec> specs) {
  std::string text;
  for (const tensor_spec& spec : specs) text += (text.empty() ? "" : ", ") + spec.tag;
  return text;
}

std::chrono::steady_clock::time_point grace_to_finish() {
  const bool fails = std::uncaught_exceptions() > 0;
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(fails ? 5 : 1000);
}

void require_reachable(const device& on, std::string_view tag, const slice& part,
                       const source_view& source) {
  if (part.rows.count == 0 || part.heads.count == 0 || on.reaches(source.data)) return;
  throw invalid_use("the source of tag " + std::string(tag) + " is no memory of the device (" +
                    on.description() + "): copy it there first");
}

}  // namespace ithaca
