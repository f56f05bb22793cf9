#include "backend/watch.hpp"

namespace ithaca {

bool watch::look_is_due(std::chrono::steady_clock::time_point now) {
  auto due = next_look_.load(std::memory_order_relaxed);
  return now >= due && next_look_.compare_exchange_strong(due, now + look_interval);
}

std::vector<std::string> watch::steps() const {
  std::vector<std::string> told;
  for (const auto* each : steps_) told.push_back((*each)());
  return told;
}

}  // namespace ithaca
