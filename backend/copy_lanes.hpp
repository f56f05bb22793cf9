#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "backend/device.hpp"
#include "backend/event_pool.hpp"

namespace ithaca {

class watch;

/// The streams that copy to the peers: one, unless flows side by side are to be seen, which halve
/// the rate of a GPU. Peers are spread over them: in sending order, lane i has the peers i,
/// i + lanes, i + 2 lanes, ...
class copy_lanes {
 public:
  /// `count`: 1 or more; `on` outlives them.
  copy_lanes(device& on, std::size_t count, stream_priority priority);

  /// Where all comes together, and signals are sent.
  stream& first() const { return *streams_.front(); }
  /// Of the peer at `place` in sending order.
  stream& of(std::size_t place) const { return *streams_[place % streams_.size()]; }
  /// All lanes follow `at`.
  void wait(const event& at);
  /// The first lane follows all that the others hold.
  void join(event_pool& marks);
  bool synchronize(std::chrono::steady_clock::time_point deadline, watch* looks_at);

 private:
  std::vector<std::unique_ptr<stream>> streams_;
};

}  // namespace ithaca
