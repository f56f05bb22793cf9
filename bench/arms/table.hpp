#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/arm.hpp"

namespace ithaca::bench {

/// Every arm, in the order in which they are listed.
std::span<const arm> arm_table();

/// Null if there is none of that name.
const arm* find_arm(std::string_view name);

std::vector<std::string> arm_names();

/// The arms of these names, in order and each once; "all" stands for every arm but the ablations,
/// "ablations" for those. Throws `invalid_use` for a name that no arm has.
std::vector<std::string> select_arms(std::span<const std::string> wanted);

/// The arm that others are compared with on this kind of device, if the user names none.
std::string_view default_reference(device_kind kind);

}  // namespace ithaca::bench
