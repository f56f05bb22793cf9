#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>

namespace ithaca::console {

/// Throws `std::invalid_argument`, naming the nearest of `known`, where `wanted` is none of them.
void refuse_unknown_command(const std::string& wanted, std::span<const std::string> known);

/// Throws `std::invalid_argument`, naming the nearest one, for the first of `words` that is written
/// as a long option and that `app` does not have. Ask before parsing: the parser would rather miss
/// what is required.
void refuse_unknown_option(const CLI::App& app, std::span<char* const> words);

}  // namespace ithaca::console
