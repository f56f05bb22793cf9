#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backend/device.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"

namespace ithaca::validation {

/// Simulated exchanges of a small Q, K and V (V first), each filled, sent, waited for, read,
/// overwritten and released, in one schedule for each seed.
struct exploration {
  int ranks = 4;
  std::uint64_t exchanges = 1000;  ///< of every schedule
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 10;
  bool move_bytes = false;  ///< and check them
};

/// What is explored.
struct explored_exchanger {
  /// Collective; may throw `not_eligible`.
  std::function<std::unique_ptr<exchanger>(group&, device&)> make;
  /// It leaves reuse to its caller: a barrier keeps exchanges apart.
  bool reuse_by_caller = false;
};

/// How it went, up to the first schedule with findings.
struct exploration_result {
  std::uint64_t exchanges = 0;
  std::uint64_t operations = 0;
  std::uint64_t schedules = 0;
  std::uint64_t findings = 0;
  std::uint64_t seed = 0;    ///< of the schedule with findings, if there is one
  std::string story;         ///< of the first finding; empty: there is none
  std::string not_eligible;  ///< why it can't run here; empty: it can
};

exploration_result explore(const exploration& wanted, const explored_exchanger& what);

}  // namespace ithaca::validation
