#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "backend/device.hpp"

namespace ithaca {

/// Events without timing, used again once nobody holds them: what is made in the first exchanges
/// serves all later ones.
class event_pool {
 public:
  /// `on` outlives the pool.
  explicit event_pool(device& on) : device_(on) {}

  /// An event that nobody else holds, recorded on `at`.
  std::shared_ptr<event> recorded(stream& at) {
    auto mark = std::ranges::find(events_, 1, &std::shared_ptr<event>::use_count);
    if (mark == events_.end()) {
      events_.push_back(device_.create_event(event_timing::off));
      mark = std::prev(events_.end());
    }
    at.record(**mark);
    return *mark;
  }

 private:
  device& device_;
  std::vector<std::shared_ptr<event>> events_;
};

}  // namespace ithaca
