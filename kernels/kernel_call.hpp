#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ithaca {

/// `height` rows of `width` bytes, `pitch` bytes apart: the bytes that an operation touches.
struct pitched_bytes {
  const std::byte* data = nullptr;
  std::size_t pitch = 0;
  std::size_t width = 0;
  std::size_t height = 1;
};

/// A word that must have reached an epoch (>= by signed difference, so it wraps).
struct awaited_word {
  const std::uint64_t* address = nullptr;
  std::uint64_t value = 0;
};

/// A word that is to hold an epoch.
struct signalled_word {
  std::uint64_t* address = nullptr;
  std::uint64_t value = 0;
};

/// What a kernel tells other ranks, and hears from them, while it runs. A word without an address
/// is left out.
struct kernel_signals {
  std::vector<awaited_word> before;   ///< awaited before any byte is written
  std::vector<signalled_word> after;  ///< written when every byte is, in any order
  signalled_word sent = {};           ///< written behind all of `after`, for this rank's streams
  std::vector<awaited_word> last;     ///< awaited before the kernel ends
  signalled_word ended = {};          ///< written when no word will be looked at any more
};

/// One computation for a stream, with an implementation for each kind of device.
///
/// `reads`, `writes` and `adds` declare every byte that it touches; a simulating device checks them.
/// What it adds to, atomically, others may add to at the same time.
/// `signals` is part of the computation: the CUDA kernel does it itself; `host` does not, the
/// device that calls it does. `cuda` launches on the native stream it is given (a `cudaStream_t`)
/// and is empty in builds without CUDA. `host` does the same work on the calling thread. Both may
/// throw.
struct kernel_call {
  std::string name;  ///< the CUDA kernel's unqualified name, as a profiler shows it
  std::vector<pitched_bytes> reads;
  std::vector<pitched_bytes> writes;
  std::vector<pitched_bytes> adds = {};
  kernel_signals signals = {};
  std::function<void(void* native_stream)> cuda;
  std::function<void()> host;
};

}  // namespace ithaca
