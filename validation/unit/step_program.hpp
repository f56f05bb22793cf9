#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "backend/sim/fabric.hpp"

namespace ithaca::sim {

enum class step_order { rotated, naive, paced };

inline const char* name_of(step_order order) {
  if (order == step_order::rotated) return "rotated";
  return order == step_order::naive ? "naive" : "paced";
}

/// An exchange as a program of steps: for each tensor every rank sends each peer one copy, one
/// after the other on one stream.
struct step_program {
  int ranks = 4;
  int tensors = 3;
  step_order order = step_order::rotated;
  std::uint64_t bytes = 64'000'000;  ///< of each copy

  int steps() const { return tensors * (ranks - 1); }

  /// In step `step` of all, within its tensor from 0.
  int receiver(int rank, int step) const {
    const int within = step % (ranks - 1);
    if (order == step_order::naive) return within < rank ? within : within + 1;
    return (rank + 1 + within) % ranks;
  }

  /// Who wrote to the receiver of this step in the step before.
  int writer_before(int rank, int step) const {
    return (rank + (step % (ranks - 1) == 0 ? 2 : 1)) % ranks;
  }
};

/// Latencies that a step program pays; all 0: bytes alone.
struct step_latencies {
  std::int64_t first_ns = 0;   ///< before a rank's first copy
  std::int64_t next_ns = 0;    ///< before each further one
  std::int64_t signal_ns = 0;  ///< from the end of a step until another rank may begin its own
};

/// When each rank's last copy has ended; `arrivals_ns` by rank.
inline std::int64_t run_steps(fabric& over, const step_program& program,
                              const std::vector<std::int64_t>& arrivals_ns,
                              step_latencies latencies = {}) {
  struct rank_state {
    int begun = 0;
    std::uint64_t copy = 0;  // on its way; 0: none
    std::vector<std::int64_t> ends_ns = {};
  };
  std::vector<rank_state> ranks(static_cast<std::size_t>(program.ranks));
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  const auto may_begin_ns = [&](int rank) {
    const rank_state& mine = ranks[static_cast<std::size_t>(rank)];
    if (mine.copy != 0 || mine.begun == program.steps()) return never;
    std::int64_t at = arrivals_ns[static_cast<std::size_t>(rank)];
    if (program.order == step_order::paced && mine.begun > 0) {
      const auto before = static_cast<std::size_t>(program.writer_before(rank, mine.begun));
      const std::vector<std::int64_t>& its_ends = ranks[before].ends_ns;
      if (static_cast<int>(its_ends.size()) < mine.begun) return never;
      at = std::max(at, its_ends[static_cast<std::size_t>(mine.begun) - 1] + latencies.signal_ns);
    }
    return std::max(at, over.now_ns());
  };
  for (;;) {
    for (int rank = 0; rank < program.ranks; ++rank) {
      if (may_begin_ns(rank) != over.now_ns()) continue;
      rank_state& mine = ranks[static_cast<std::size_t>(rank)];
      const int to = program.receiver(rank, mine.begun);
      const bool first = mine.begun++ == 0;
      mine.copy =
          over.copy(rank, {to, program.bytes}, first ? latencies.first_ns : latencies.next_ns);
    }
    std::int64_t next = over.next_ns().value_or(never);
    for (int rank = 0; rank < program.ranks; ++rank) next = std::min(next, may_begin_ns(rank));
    if (next == never) break;
    for (const std::uint64_t ended : over.advance(next)) {
      rank_state& its = *std::ranges::find(ranks, ended, &rank_state::copy);
      its.copy = 0;
      its.ends_ns.push_back(next);
    }
  }
  return over.now_ns();
}

inline step_latencies latencies_of(const fabric_figures& figures) {
  return {figures.first_copy_ns, figures.next_copy_ns, figures.signal_ns()};
}

/// From the last arrival until all has been copied, where ranks arrive at random within
/// `window_ns`; the mean of `seeds` seeds.
inline double mean_ns(const fabric_figures& figures, const step_program& program, double window_ns,
                      int seeds, step_latencies latencies = {}) {
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::vector<std::int64_t> arrivals_ns;
    for (int rank = 0; rank < program.ranks; ++rank) {
      const double share = static_cast<double>(random() >> 11) * 0x1p-53;
      arrivals_ns.push_back(static_cast<std::int64_t>(share * window_ns));
    }
    fabric over(figures, program.ranks);
    const std::int64_t end = run_steps(over, program, arrivals_ns, latencies);
    sum += static_cast<double>(end - std::ranges::max(arrivals_ns));
  }
  return sum / seeds;
}

/// How much longer than without collisions an exchange takes, counted from the last arrival, whose
/// ranks arrive at random within `window_steps` copy steps; bytes alone.
inline double slowdown(const fabric_figures& figures, const step_program& program,
                       double window_steps, int seeds) {
  const double step_ns = static_cast<double>(program.bytes) / figures.port_gbps;
  return mean_ns(figures, program, window_steps * step_ns, seeds) / (step_ns * program.steps());
}

}  // namespace ithaca::sim
