#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backend/group.hpp"
#include "bench/campaign.hpp"
#include "bench/device_choice.hpp"
#include "bench/options.hpp"
#include "bench/ulysses_site.hpp"

namespace ithaca::bench {

/// What `--list` prints: arms, shapes, schedules, element types. Throws `invalid_use` for a bad
/// shapes file, and for a name among the options that is none of them.
std::string list_choices(const exchange_options& options);

/// What the command needs of the program that its ranks are.
struct exchange_setting {
  group_splitter split;
  /// Opens the rank's device. Collective.
  std::function<chosen_device(group& world)> open_device;
  std::optional<std::string> mpi_version = std::nullopt;
  std::optional<std::string> fabric = std::nullopt;  ///< of a simulation
  order_watch watch_order = {};                      ///< of a simulation
};

/// A command of ithaca-bench on one rank of the world. Rank 0 prints. Returns the exit
/// code: 0, or 1 if an arm was refuted. Throws `invalid_use` on every rank alike for what can't
/// run, and `exchange_broken`.
int exchange_command(const exchange_options& asked, const std::vector<std::string>& arguments,
                     group& world, const exchange_setting& setting);

}  // namespace ithaca::bench
