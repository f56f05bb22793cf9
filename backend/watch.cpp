#include "backend/watch.hpp"

#include <algorithm>
#include <utility>

namespace ithaca {

std::string told_once(std::string text, const std::string& more) {
  if (!more.empty() && text.find(more) == std::string::npos) text += "; " + more;
  return text;
}

bool watch::look_is_due(std::chrono::steady_clock::time_point now) {
  auto due = next_look_.load(std::memory_order_relaxed);
  return now >= due && next_look_.compare_exchange_strong(due, now + look_interval);
}

std::vector<std::string> watch::steps() const {
  std::vector<std::string> told;
  for (const auto* each : steps_) told.push_back((*each)());
  return told;
}

std::string watch::with_steps(std::string text) const {
  const std::vector<std::string> all = steps();
  for (auto each = all.begin(); each != all.end(); ++each) {
    const bool told_later = std::any_of(each + 1, all.end(), [&](const std::string& later) {
      return later.find(*each) != std::string::npos;
    });
    if (!told_later) text = told_once(std::move(text), *each);
  }
  return text;
}

}  // namespace ithaca
