#pragma once

#include <filesystem>
#include <string_view>

namespace ithaca::reports {

/// Writes `contents` so that the file at `path` is at every moment the old one or the new one,
/// whole: into `<path>.partial`, onto the disk, then renamed. The folder must exist.
/// Throws `std::runtime_error` with a sentence that names the file and the cause; then the old file
/// is untouched and nothing is left beside it.
void write_whole_file(const std::filesystem::path& path, std::string_view contents);

}  // namespace ithaca::reports
