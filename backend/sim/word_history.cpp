#include "backend/sim/word_history.hpp"

#include <algorithm>

namespace ithaca::sim {

void word_history::reset(std::uint64_t value) {
  *this = {};
  start_ = value_ = highest_dropped_ = value;
}

void word_history::write(const word_write& now) {
  value_ = now.value;
  kept_.push_back(now);
  if (kept_.size() <= most_kept) return;
  if (!first_) first_ = kept_.front();
  if (has_reached(kept_.front().value, highest_dropped_)) highest_dropped_ = kept_.front().value;
  kept_.pop_front();
}

const word_write* word_history::counted_on(std::uint64_t awaited, const vector_clock& heard) const {
  const auto taken_back = std::find_if(kept_.rbegin(), kept_.rend(), [&](const word_write& each) {
    return !has_reached(each.value, awaited) && heard.has_seen(each.by.at);
  });
  if (taken_back == kept_.rend()) {
    if (has_reached(start_, awaited)) return nullptr;
    if (first_ && has_reached(highest_dropped_, awaited)) return &*first_;
  }
  const auto counted = std::find_if(taken_back.base(), kept_.end(), [&](const word_write& each) {
    return has_reached(each.value, awaited);
  });
  return counted == kept_.end() ? nullptr : &*counted;
}

const word_write* word_history::latest_of(std::uint64_t value) const {
  for (auto each = kept_.rbegin(); each != kept_.rend(); ++each) {
    if (each->value == value) return &*each;
  }
  return nullptr;
}

}  // namespace ithaca::sim
