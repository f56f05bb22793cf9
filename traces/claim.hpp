#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ithaca::traces {

/// Copies by number and by the bytes that they move together.
struct copy_totals {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  bool operator==(const copy_totals&) const = default;
};

/// A kernel that an exchange may run, exactly `count` times.
struct claimed_kernel {
  std::string name;  ///< unqualified; `*` stands for any characters
  std::uint64_t count = 0;
};

/// What an arm says that it does on one rank in one exchange. What it does not name, it says that
/// it does not do.
struct claim {
  std::vector<claimed_kernel> kernels;
  copy_totals peer_copies;
  bool peer_copies_on_copy_engine = false;
  copy_totals local_copies;
  /// A library that cuts its copies as it likes: their bytes are claimed, not their number.
  bool copies_in_any_number = false;
  /// Copies of no more bytes are flags, in any number; 0: there are none.
  std::uint64_t flag_bytes = 0;
  std::uint64_t memsets = 0;
  std::uint64_t signal_writes = 0;
  std::uint64_t signal_waits = 0;

  /// Joins what is done in another exchange of the same arm.
  claim& operator+=(const claim& other);
};

}  // namespace ithaca::traces
