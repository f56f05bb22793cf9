#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/machine.hpp"

namespace ithaca::reports {

/// What a machine's ratios between arms depend on, and another of its kind has, too: no serial
/// numbers.
struct machine_class {
  std::string device;
  int ranks = 0;
  std::vector<std::string> gpus = {};   ///< name of each rank's
  std::vector<std::string> links = {};  ///< of each ordered pair, e.g. "NV18"; "unknown"
  std::optional<std::string> driver_major = std::nullopt;  ///< "580"
  std::optional<std::string> nccl = std::nullopt;
  std::optional<std::string> fabric = std::nullopt;  ///< of a simulation
  bool operator==(const machine_class&) const = default;
};

machine_class class_of(const machine& of, int ranks);

/// In which respect `found` differs: "has the driver 580 where 570 is
/// expected"; empty if in none.
std::optional<std::string> difference(const machine_class& found, const machine_class& expected);

json to_json(const machine_class& from);
/// Throws `std::invalid_argument`, naming `place`, for what is no machine class.
machine_class machine_class_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
