#include "backend/sim/word_history.hpp"

namespace ithaca::sim {

void word_history::reset(std::uint64_t value) {
  *this = {};
  start_ = value_ = value;
}

void word_history::write(const word_write& now) {
  value_ = now.value;
  kept_.push_back(now);
  if (kept_.size() <= most_kept) return;
  if (!first_) first_ = kept_.front();
  dropped_up_to_ = kept_.front().value;
  kept_.pop_front();
}

const word_write* word_history::first_that_reached(std::uint64_t awaited) const {
  if (has_reached(start_, awaited)) return nullptr;
  if (first_ && has_reached(dropped_up_to_, awaited)) return &*first_;
  for (const word_write& each : kept_) {
    if (has_reached(each.value, awaited)) return &each;
  }
  return nullptr;
}

const word_write* word_history::latest_of(std::uint64_t value) const {
  for (auto each = kept_.rbegin(); each != kept_.rend(); ++each) {
    if (each->value == value) return &*each;
  }
  return nullptr;
}

}  // namespace ithaca::sim
