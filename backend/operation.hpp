#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ithaca {

enum class operation_kind { copy, write_value, wait_value, kernel };

/// What a caller says about an operation that it enqueues.
struct operation_label {
  std::string_view tag;  ///< the tensor's tag; empty if none
  int peer = -1;         ///< group rank at the other end; -1 if none, own rank for the own chunk
  std::uint64_t exchange = 0;  ///< epoch of the exchange that it belongs to; 0: outside any
};

/// One operation as it was enqueued on a stream.
struct operation {
  std::uint64_t id = 0;  ///< unique in the process, from 1
  operation_kind kind = operation_kind::kernel;
  std::string name;    ///< kernel name, or "copy_2d", "write_value", "wait_value"
  std::string stream;  ///< the stream's name
  std::string tag;
  int peer = -1;
  std::uint64_t exchange = 0;
  std::uint64_t bytes = 0;  ///< bytes copied; 8 for signals; 0 for kernels
};

}  // namespace ithaca
