#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ithaca::bench {

/// The names in `wanted`, each once, in their order; "all" stands for all of `known`.
/// Throws `invalid_use` for an unknown one: "there is no arm 'ncll'; did you mean 'nccl'?".
std::vector<std::string> select_names(std::string_view what, std::span<const std::string> wanted,
                                      std::span<const std::string> known);

}  // namespace ithaca::bench
