#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ithaca::sim {

/// How quick a push kernel of so many thread blocks is, where no port holds it up.
struct push_rate {
  int ctas = 0;
  double gbps = 0;
};

/// What a fabric of equal GPUs, joined all to all, can do, as far as the model knows it. Rates in
/// GB/s, which is bytes a nanosecond. The files in `fabrics/` say where each figure comes from.
struct fabric_figures {
  std::string name;  ///< of the file, without its ending
  // Rates.
  double port_gbps = 0;        ///< out of a GPU, and into one, each
  double lanes_gbps = 0;       ///< out of a GPU whose copy engines serve several peers at a time
  double local_copy_gbps = 0;  ///< from a GPU's memory to the same memory
  std::vector<push_rate> push_rates;  ///< by `ctas`, ascending; one at least
  // From the head of a stream until the first byte moves, or the operation takes effect.
  std::int64_t first_copy_ns = 0;  ///< a copy engine that has rested
  std::int64_t next_copy_ns = 0;   ///< one that comes from a copy
  std::int64_t local_copy_ns = 0;
  std::int64_t kernel_ns = 0;  ///< until a kernel of the same stream runs
  std::int64_t push_ns = 0;    ///< what a push kernel takes beside its bytes and its signals
  std::int64_t event_ns = 0;   ///< from a stream to one that waits for its event
  // A signal: what the write holds its stream up, until the peer's GPU can see it, and what a wait
  // holds its stream up once it can.
  std::int64_t signal_write_ns = 0;
  std::int64_t signal_flight_ns = 0;
  std::int64_t signal_wait_ns = 0;
  // What a call costs the host that makes it.
  std::int64_t host_copy_ns = 0;
  std::int64_t host_signal_ns = 0;
  std::int64_t host_launch_ns = 0;
  std::int64_t host_event_ns = 0;
  std::int64_t host_wake_ns = 0;  ///< from what it waits for until it goes on
  /// Within which ranks see a gate that one of them opens.
  std::int64_t arrival_skew_ns = 0;

  /// A signal from the stream that writes it to the stream that waits for it.
  std::int64_t signal_ns() const { return signal_write_ns + signal_flight_ns + signal_wait_ns; }

  /// Of a push kernel with `ctas` thread blocks: between the entries of `push_rates` on a straight
  /// line, below the first on one from zero, above the last no more.
  double push_gbps(int ctas) const;
};

}  // namespace ithaca::sim
