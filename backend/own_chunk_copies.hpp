#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backend/direct_options.hpp"
#include "backend/event_pool.hpp"
#include "backend/exchange_plan.hpp"

namespace ithaca {

/// Brings what stays on its rank into its target, the way that the options say: mostly beside what
/// goes to the peers, for the links are slower than the memory.
class own_chunk_copies {
 public:
  /// `on` outlives it.
  own_chunk_copies(device& on, own_chunk_way way) : way_(way), marks_(on) {
    stream_ = on.create_stream("own chunk", stream_priority::high);
  }

  /// A submit whose source is ready at the event `ready`, and on the stream `caller`.
  struct submitted {
    std::span<const pitched_copy> copies;
    const std::byte* source;
    std::byte* target;
    const event& ready;
    stream& caller;
    stream& copy_stream;  ///< behind what it holds for the peers
    operation_label label;
  };

  /// Enqueues it; `await_free` orders a stream behind the last reader of the target.
  void enqueue(const submitted& what, const std::function<void(stream&)>& await_free);
  /// Behind all of the open exchange that did not go by the copy stream.
  std::vector<std::shared_ptr<event>> marks();
  /// The open exchange is complete.
  void close();

  bool synchronize(std::chrono::steady_clock::time_point deadline, watch* looks_at) {
    return stream_->synchronize(deadline, looks_at);
  }

 private:
  void copy(const submitted& what, stream& at);

  own_chunk_way way_;
  event_pool marks_;
  // Of the open exchange:
  bool on_stream_ = false;
  std::vector<std::shared_ptr<event>> kernels_;
  // Last: it ends before what it refers to goes.
  std::unique_ptr<stream> stream_;
};

}  // namespace ithaca
