#pragma once

#include <cstdint>
#include <span>

#include "backend/stream.hpp"

namespace ithaca {

/// How a stream gets a value into a peer's memory: by a stream-memory write straight there, or,
/// where that is not to be had, by one into a slot of its own and a copy of eight bytes from there;
/// or by a kernel, which takes its place on an SM first.
enum class signal_kind { stream_write, staged_copy, kernel };

/// A word in a peer's memory, and whose it is.
struct peer_word {
  int peer = -1;
  std::uint64_t* address = nullptr;
};

/// Signals peers behind everything that is enqueued on a stream.
class signaller {
 public:
  /// `slot`: a word of this rank's device memory for nothing else, with `staged_copy`.
  signaller(signal_kind kind, std::uint64_t* slot) : kind_(kind), slot_(slot) {}

  /// Enqueues `value` into all `words`. `mine`: tag, own rank and exchange. Different values of one
  /// signaller go the way of one stream, so that its slot is written again only behind the copies
  /// out of it.
  void signal(stream& at, std::span<const peer_word> words, std::uint64_t value,
              const operation_label& mine) const;

 private:
  signal_kind kind_;
  std::uint64_t* slot_;
};

}  // namespace ithaca
