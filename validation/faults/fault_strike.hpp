#pragma once

#include <cstdint>
#include <string>

#include "backend/group.hpp"
#include "backend/host/host_device.hpp"
#include "backend/peer_memory.hpp"
#include "validation/faults/fault_plan.hpp"

namespace ithaca::validation {

/// Makes one rank fail as planned, and tells the others when it did.
class fault_strike {
 public:
  /// Collective.
  fault_strike(group& world, const fault_plan& plan);

  /// Fails here, if this rank is to.
  void reached(fault_point at, std::int64_t exchange);
  /// How long ago the rank failed, in words for a line of a survivor.
  std::string since() const;

 private:
  std::uint64_t* time_ns() const;

  fault_plan plan_;
  bool mine_;
  host_device memories_;
  peer_memory pages_;  // a word of the failing rank, which outlives it in the others' mappings
};

}  // namespace ithaca::validation
