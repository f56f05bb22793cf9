#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "backend/direct_options.hpp"
#include "backend/sim/finding.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/hazards/faulty_device.hpp"

namespace ithaca::validation {

/// What every simulated rank does. Bytes are not moved: what is judged is order alone.
using rank_program = std::function<void(group&, device&)>;

inline constexpr int simulated_ranks = 3;
/// Of each program, by seed.
inline constexpr std::uint64_t schedules = 12;

/// V, Q and K of `rows` rows a rank, two heads for each.
std::vector<tensor_spec> small_qkv(int degree, std::int64_t rows = 16);

/// The stories of one kind that schedules tell of a program.
std::vector<std::string> stories(sim::finding_kind kind, const rank_program& program,
                                 int ranks = simulated_ranks);

/// No schedule of the program fails, or has anything to tell.
void expect_no_finding(const rank_program& program, int ranks = simulated_ranks);

/// Exchanges by a rig, on a device with `broken`.
rank_program exchanges(direct_options options, fault broken,
                       std::function<void(int rank, exchange_rig&)> program);

void three_exchanges(int rank, exchange_rig& rig);

}  // namespace ithaca::validation
