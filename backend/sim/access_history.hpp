#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "backend/sim/operation_note.hpp"
#include "backend/sim/pitched_overlap.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca::sim {

/// An addition is atomic: additions don't conflict with each other, but with all else.
enum class access_kind { read, write, add };

constexpr bool in_conflict(access_kind a, access_kind b) {
  return a != b || a == access_kind::write;
}

/// One access to bytes of an allocation.
struct recorded_access {
  pitched_bytes bytes;
  access_kind kind = access_kind::read;
  operation_note by;
};

/// The accesses to one allocation that still matter: those that a later access could conflict with.
///
/// Two accesses conflict if they have a byte in common, are not both reads, nor both additions, and
/// neither has heard of the other. An access goes as soon as a later one that has heard of it
/// covers its bytes, and writes or is of the same kind: whatever conflicts with the earlier from
/// then on conflicts with the later one too. So the list stays as short as the operations of an
/// exchange are few.
class access_history {
 public:
  /// An earlier access that conflicts, and bytes that both touch.
  struct conflict {
    recorded_access earlier;
    common_bytes common;
  };

  /// Adds `now`, whose operation has heard `heard`; returns the first conflict, if any.
  std::optional<conflict> add(const recorded_access& now, const vector_clock& heard);
  /// As `add`, without keeping it.
  std::optional<conflict> look(const recorded_access& now, const vector_clock& heard) const;

  const std::vector<recorded_access>& kept() const { return kept_; }
  void clear() { kept_.clear(); }

 private:
  std::vector<recorded_access> kept_;
};

}  // namespace ithaca::sim
