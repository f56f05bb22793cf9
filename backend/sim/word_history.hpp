#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "backend/sim/operation_note.hpp"

namespace ithaca::sim {

/// Whether `seen` is at or past `awaited`, by signed difference as CUDA's GEQ compares.
constexpr bool has_reached(std::uint64_t seen, std::uint64_t awaited) {
  return static_cast<std::int64_t>(seen - awaited) >= 0;
}

/// A write of a signal, and what its writer had heard then: a wait that counts on it hears it too.
struct word_write {
  std::uint64_t value = 0;
  vector_clock heard;
  operation_note by;
};

/// The writes of one signal.
///
/// A wait for at least `v` hears what the *earliest* write tells that it may have seen: that
/// reached `v`, and that no later write below `v` which the wait has heard of has taken back.
/// Whatever the word holds when it is looked at, in another schedule the wait ends right behind
/// that write. The latest `most_kept` writes are kept; of those before them only the very first,
/// which tells the least: a wait that lags further hears too little rather than too much.
class word_history {
 public:
  static constexpr std::size_t most_kept = 32;

  std::uint64_t value() const { return value_; }
  /// What the word holds from outside: everything before is forgotten.
  void reset(std::uint64_t value);

  void write(const word_write& now);
  /// The write that a wait for at least `awaited` counts on, which has heard `heard` before; null
  /// if none has reached it, or the word did from the start.
  const word_write* counted_on(std::uint64_t awaited, const vector_clock& heard) const;
  /// The latest write of exactly `value`; null if there is none.
  const word_write* latest_of(std::uint64_t value) const;
  const word_write* latest() const { return kept_.empty() ? nullptr : &kept_.back(); }

 private:
  std::uint64_t start_ = 0;
  std::uint64_t value_ = 0;
  std::optional<word_write> first_;  // of those that are not kept
  std::uint64_t highest_dropped_ = 0;
  std::deque<word_write> kept_;
};

}  // namespace ithaca::sim
