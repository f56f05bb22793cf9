#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace ithaca::console {

/// As much as an input may hold, unpacked: what is larger was not meant, or means harm.
inline constexpr std::size_t most_input_bytes = std::size_t{4} << 30;

/// The bytes of the file, unpacked where they begin as gzip's do, whatever the file's name.
///
/// Throws `std::invalid_argument`, a sentence that begins with the file's name, for what is no
/// regular file or can't be read, for a NUL byte, which no text holds, for packed bytes that are
/// damaged, end too early or have others behind them, for more than `most_bytes`, and for packed
/// ones where this build has no zlib.
std::string read_input(const std::filesystem::path& file,
                       std::size_t most_bytes = most_input_bytes);

/// Throws `std::invalid_argument` if `output` is one of the inputs, under whatever name.
void refuse_overwriting(const std::filesystem::path& output, std::span<const std::string> inputs);

}  // namespace ithaca::console
