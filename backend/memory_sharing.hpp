#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "backend/unique_fd.hpp"

namespace ithaca {

/// How other processes of the host come to an allocation. Either kind is chosen when it is made.
enum class memory_sharing {
  /// By a descriptor that is handed over (CUDA: virtual memory management; host: a memfd). It lives
  /// as long as anyone has it mapped.
  descriptor,
  /// By a name in bytes (CUDA: an IPC handle; host: a path under /proc). Its owner frees it, and
  /// does so only when nobody has it open any more.
  handle,
};

constexpr std::string_view to_string(memory_sharing how) {
  return how == memory_sharing::descriptor ? "descriptor" : "handle";
}

/// What a process needs to map an allocation of another one.
struct shared_memory {
  /// `descriptor`: the memory. `handle`: the count of those who have it open, where one is kept.
  unique_fd descriptor = {};
  std::vector<std::byte> handle = {};  ///< empty with `descriptor`
  /// Where the allocation begins in what the handle names: a handle names whole allocations.
  std::size_t offset_bytes = 0;
};

}  // namespace ithaca
