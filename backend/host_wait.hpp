#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "backend/errors.hpp"
#include "backend/group.hpp"
#include "backend/watch.hpp"

namespace ithaca {

/// Throws `exchange_broken` when waiting is in vain.
inline void require_hope(watch* at) {
  if (!at) return;
  if (const std::string reason = at->in_vain(); !reason.empty()) throw exchange_broken(reason);
}

/// Asks `done` until it says true; false when `deadline` passes first. Throws what `done` throws,
/// and `exchange_broken` once waiting is in vain, by `looks_at` (may be null).
template <class Done>
bool wait_until(std::chrono::steady_clock::time_point deadline, watch* looks_at,
                std::chrono::microseconds nap, Done done) {
  // Spin briefly: most waits end within microseconds. Then leave the core to the ranks that it may
  // be shared with.
  for (int spin = 0;; ++spin) {
    const auto now = std::chrono::steady_clock::now();
    if (looks_at && looks_at->look_is_due(now)) require_hope(looks_at);
    if (done()) return true;
    if (now >= deadline) return false;
    if (spin > 2000)
      std::this_thread::sleep_for(nap);
    else
      std::this_thread::yield();
  }
  return true;
}

/// Runs `wait`, one with the deadline of `among`. If it says false or breaks, this rank gives up
/// (`group::give_up`), and says `where` it stands.
void require_done(const group& among, const std::function<bool()>& wait,
                  const std::function<std::string()>& where);

}  // namespace ithaca
