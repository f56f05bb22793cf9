#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/sim/sim_operation.hpp"

namespace ithaca::sim {

enum class step_kind {
  host,    ///< a rank's host program goes on, until it waits or pauses
  pass,    ///< an operation that takes no time of its own begins and ends: signals and events
  begin,   ///< a copy or kernel begins
  end,     ///< it ends: its bytes are moved
  signal,  ///< a kernel writes one of its signals, or looks at those that it awaits
};

/// Something that can happen next. There is one for each host program or stream at most.
struct step {
  step_kind kind = step_kind::host;
  std::uint32_t actor = 0;  ///< number of the host program or stream in the world
  int rank = 0;
  /// What begins or ends; of a host program: what it has just enqueued, null if it comes from a
  /// wait. Valid while the step is on offer; for a host program, within the call only.
  const sim_operation* operation = nullptr;
};

/// Decides what happens next in a world, and what time it is there.
///
/// Whatever it decides, the world is right: it offers only what can happen, looks again before it
/// lets it, and offers it anew if it no longer can. Exploring policies choose at random; timed ones
/// know how long things take: they give an operation its end when they are offered it (it has just
/// begun), may change their mind while other operations begin and end, and hand out the earliest.
class policy {
 public:
  virtual ~policy() = default;

  /// `what` can happen from now on.
  virtual void offer(const step& what) = 0;
  /// The actor whose offered step happens now; it is no longer on offer. Empty if there is none.
  virtual std::optional<std::uint32_t> next() = 0;
  /// Whether the host program of `rank` stops behind the enqueue of `operation` to let others go
  /// first; it is then offered.
  virtual bool pauses(int rank, const sim_operation& operation) = 0;
  /// One of `count` things that have no order among them.
  virtual std::size_t pick(std::size_t count) = 0;
  /// The world's clock.
  virtual std::int64_t now_ns() const = 0;
};

}  // namespace ithaca::sim
