#include "backend/target_cache.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "backend/errors.hpp"

namespace ithaca {

void require_cacheable(std::span<const tensor_spec> specs, std::size_t slots) {
  if (specs.size() * slots > target_cache::capacity) {
    throw invalid_use("at most " + std::to_string(target_cache::capacity / slots) +
                      " tensors can be prepared at once");
  }
  std::set<std::string_view> tags;
  for (const tensor_spec& spec : specs) {
    if (!tags.insert(spec.tag).second) {
      throw invalid_use("tag " + spec.tag + " is given twice: tags never share a target");
    }
  }
}

std::shared_ptr<target> target_cache::find(const std::string& key) {
  const auto found = std::ranges::find_if(targets_, [&](const auto& t) { return t->key == key; });
  if (found == targets_.end()) return nullptr;
  targets_.splice(targets_.begin(), targets_, found);
  return targets_.front();
}

void target_cache::insert(std::shared_ptr<target> made) { targets_.push_front(std::move(made)); }

void target_cache::make_room(std::size_t slots, const std::vector<std::string>& keep) {
  auto oldest = targets_.end();
  while (size() + slots > capacity && oldest != targets_.begin()) {
    --oldest;
    const bool kept = (*oldest)->captured || std::ranges::find(keep, (*oldest)->key) != keep.end();
    if (!kept) oldest = targets_.erase(oldest);
  }
}

std::size_t target_cache::size() const {
  std::size_t slots = 0;
  for (const auto& each : targets_) slots += each->slots.size();
  return slots;
}

std::size_t target_cache::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& each : targets_) {
    for (const target_slot& slot : each->slots) bytes += slot.mine->size_bytes();
    if (each->packed) bytes += each->packed->size_bytes();
  }
  return bytes;
}

}  // namespace ithaca
