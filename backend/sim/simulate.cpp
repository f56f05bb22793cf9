#include "backend/sim/simulate.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "backend/sim/exploring_policy.hpp"
#include "backend/sim/sim_device.hpp"
#include "backend/sim/sim_group.hpp"
#include "backend/sim/world.hpp"

namespace ithaca::sim {

simulation_result simulate(const simulation_options& options, policy& chooses,
                           const std::function<void(group&, device&)>& program) {
  simulation_result result;
  result.failures.resize(static_cast<std::size_t>(options.ranks));
  world in(options.ranks, options.move_bytes, chooses);
  std::vector<int> all(static_cast<std::size_t>(options.ranks));
  std::iota(all.begin(), all.end(), 0);
  const auto place = std::make_shared<meeting_place>(std::move(all));
  for (int rank = 0; rank < options.ranks; ++rank) {
    in.add_host([&, rank] {
      try {
        sim_device on(in, rank);
        sim_group ranks(in, place, rank);
        program(ranks, on);
      } catch (...) {
        result.failures[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  }
  in.run();
  result.findings = in.judge().findings();
  result.steps = in.steps();
  result.operations = in.operations();
  result.digest = in.digest();
  result.most_accesses = in.judge().most_accesses();
  return result;
}

simulation_result simulate(const simulation_options& options, std::uint64_t seed,
                           const std::function<void(group&, device&)>& program) {
  exploring_policy explores(seed);
  return simulate(options, explores, program);
}

void rethrow_failure(const simulation_result& result) {
  for (const std::exception_ptr& each : result.failures) {
    if (each) std::rethrow_exception(each);
  }
}

}  // namespace ithaca::sim
