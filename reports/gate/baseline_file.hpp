#pragma once

#include <filesystem>
#include <string>

#include "reports/gate/baseline.hpp"

namespace ithaca::reports::gate {

/// Writes it as `write_whole_file` does, with its errors.
void write_baseline(const baseline& from, const std::filesystem::path& path);
/// The file's text.
std::string baseline_text(const baseline& from);

/// Throws `std::invalid_argument` with a sentence that names the file and the place in it for a
/// file that is missing, truncated, no JSON, no baseline, or of another version.
baseline read_baseline(const std::filesystem::path& path);

/// Tells reports apart by what is in them: the UUID (version 5, RFC 4122) of the unpacked bytes.
std::string content_id(const std::string& bytes);

}  // namespace ithaca::reports::gate
