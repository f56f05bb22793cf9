#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "backend/group.hpp"
#include "reports/telemetry.hpp"

namespace ithaca::bench {

/// How clocks are watched while they settle.
struct settling {
  std::chrono::milliseconds between_readings{50};
  std::chrono::milliseconds at_most{2000};
};

/// Whether the last three readings lie within 1 % of each other.
bool is_steady(std::span<const std::int64_t> readings);

/// Runs `exchange`, which is collective, again and again until every rank's clock is steady, or the
/// time is up. Collective: all ranks run as many exchanges and come to the same result, which is
/// empty if some rank can't read its clock.
std::optional<reports::clock_warm_up> settle_clocks(
    group& world, const std::function<std::optional<std::int64_t>()>& read_mhz,
    const std::function<void()>& exchange, settling how = {});

}  // namespace ithaca::bench
