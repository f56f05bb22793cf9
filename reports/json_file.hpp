#pragma once

#include <filesystem>

#include "reports/json.hpp"

namespace ithaca::reports {

/// The JSON of a file, unpacked where it is packed by gzip.
/// Throws `std::invalid_argument` with a sentence that names the file and the place in it for what
/// can't be read, is truncated, no JSON, or holds a number that no double can hold.
json read_json(const std::filesystem::path& path);

}  // namespace ithaca::reports
