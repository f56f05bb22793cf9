#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace ithaca::traces {

/// Makes a file of what `write` puts into its stream; it appears whole or not at all. Throws
/// `std::runtime_error` that names the file when it can't be written, and what `write` throws.
void write_chrome_file(const std::filesystem::path& path,
                       const std::function<void(std::ostream&)>& write);

}  // namespace ithaca::traces
