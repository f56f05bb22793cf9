#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/contender.hpp"
#include "bench/scenario.hpp"
#include "bench/workload.hpp"

namespace ithaca::bench {

/// An arm under the name that its cells carry.
struct entrant {
  std::string name;
  const arm* what;
};

/// A scenario made ready to run: its sources, and every entrant with its targets. Frees them all
/// when it goes.
class prepared_scenario {
 public:
  /// Exchanges that a pipelined sample spans.
  static constexpr std::int64_t exchanges_per_pipeline = 8;

  /// Device bytes that it takes on group rank `rank`.
  static std::size_t required_bytes(const scenario& what, const std::vector<entrant>& entrants,
                                    int rank);

  /// Collective. Throws `invalid_use` on every rank alike if there is no room for the sources; an
  /// entrant that finds none for itself is not ready.
  prepared_scenario(const scenario& what, const std::vector<entrant>& entrants, ulysses_site& site,
                    group& world, start_gate& gate);

  workload& load() { return *load_; }
  std::vector<std::unique_ptr<contender>>& contenders() { return contenders_; }

 private:
  std::unique_ptr<workload> load_;
  std::vector<std::unique_ptr<contender>> contenders_;
};

}  // namespace ithaca::bench
