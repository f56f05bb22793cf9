#pragma once

#include <chrono>
#include <cstdint>

namespace ithaca {

/// A 64-bit word in memory that several processes map, written by one and awaited by others.
/// Waiters sleep on a shared (not process-private) futex: `std::atomic::wait` never wakes another
/// process, and ranks outnumber cores too often to spin.
void store_and_wake(std::uint64_t* word, std::uint64_t value);

std::uint64_t load(const std::uint64_t* word);

/// Whether `seen` is at or past `awaited`, by signed difference as CUDA's GEQ compares.
inline bool has_reached(std::uint64_t seen, std::uint64_t awaited) {
  return static_cast<std::int64_t>(seen - awaited) >= 0;
}

/// Sleeps until the word is written, or for `at_most`; returns whether it has reached `awaited`.
/// Not every write reaches it: call it again.
bool sleep_until_reached(const std::uint64_t* word, std::uint64_t awaited,
                         std::chrono::milliseconds at_most);

}  // namespace ithaca
