#include "backend/sim/access_history.hpp"

namespace ithaca::sim {

std::optional<access_history::conflict> access_history::look(const recorded_access& now,
                                                             const vector_clock& heard) const {
  for (const recorded_access& earlier : kept_) {
    if (!in_conflict(now.kind, earlier.kind) || heard.has_seen(earlier.by.at)) continue;
    if (const auto common = overlap(earlier.bytes, now.bytes)) return conflict{earlier, *common};
  }
  return std::nullopt;
}

std::optional<access_history::conflict> access_history::add(const recorded_access& now,
                                                            const vector_clock& heard) {
  const auto found = look(now, heard);
  std::erase_if(kept_, [&](const recorded_access& earlier) {
    return (now.kind == access_kind::write || now.kind == earlier.kind) &&
           heard.has_seen(earlier.by.at) && covers(now.bytes, earlier.bytes);
  });
  kept_.push_back(now);
  return found;
}

}  // namespace ithaca::sim
