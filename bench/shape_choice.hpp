#pragma once

#include <filesystem>
#include <vector>

#include "bench/options.hpp"
#include "bench/shape_catalog.hpp"

namespace ithaca::bench {

/// A shape to run, and whether the person asked for this very one: then one that is too large is
/// an error, while one out of a set is skipped.
struct shape_choice {
  shape chosen;
  bool by_name = false;
};

/// The file of shapes to load: the one given, else the shipped one.
std::filesystem::path scenarios_file(const exchange_options& options);

/// The shapes to run, each name once: those named, then those of --shape; with neither, all of a
/// file given by --scenarios, else `default_shapes`.
/// Throws `invalid_use` for an unknown name.
std::vector<shape_choice> choose_shapes(const exchange_options& options,
                                        const shape_catalog& catalog);

}  // namespace ithaca::bench
