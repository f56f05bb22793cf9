#include "backend/target_cache.hpp"

#include <algorithm>
#include <iterator>

namespace ithaca {

std::shared_ptr<target> target_cache::find(const std::string& key) {
  const auto found = std::ranges::find_if(targets_, [&](const auto& t) { return t->key == key; });
  if (found == targets_.end()) return nullptr;
  targets_.splice(targets_.begin(), targets_, found);
  return targets_.front();
}

void target_cache::insert(std::shared_ptr<target> made) { targets_.push_front(std::move(made)); }

void target_cache::make_room(std::size_t count, const std::vector<std::string>& keep) {
  auto oldest = targets_.end();
  while (targets_.size() + count > capacity && oldest != targets_.begin()) {
    --oldest;
    if (std::ranges::find(keep, (*oldest)->key) == keep.end()) oldest = targets_.erase(oldest);
  }
}

std::size_t target_cache::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& each : targets_) bytes += each->mine->size_bytes();
  return bytes;
}

}  // namespace ithaca
