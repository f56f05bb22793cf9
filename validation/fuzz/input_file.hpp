#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "backend/unique_fd.hpp"

namespace ithaca::validation {

/// The bytes of one fuzz input as a file without a name, for what reads files.
class input_file {
 public:
  /// Throws `std::system_error` where no file can be made: that is no finding, but the machine.
  input_file(const std::uint8_t* bytes, std::size_t size);

  std::filesystem::path path() const;

 private:
  unique_fd file_;
};

}  // namespace ithaca::validation
