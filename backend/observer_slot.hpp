#pragma once

#include <atomic>

#include "backend/observer.hpp"

namespace ithaca {

/// The place of a device's observer: none, or one, seen by all of its streams.
class observer_slot {
 public:
  void set(observer* to) { observer_.store(to, std::memory_order_release); }
  observer* get() const { return observer_.load(std::memory_order_acquire); }

 private:
  std::atomic<observer*> observer_ = nullptr;
};

}  // namespace ithaca
