#pragma once

#include <cstdint>
#include <string>

#include "traces/timeline_record.hpp"

namespace ithaca::traces {

/// What was enqueued. `kernel` stands for anything that launches work of its own, a library's
/// collective included.
enum class enqueued_kind { copy, signal_write, signal_wait, kernel };

/// One operation as a rank's host thread enqueued it.
struct enqueued_operation {
  std::uint64_t id = 0;  ///< unique in the process, from 1
  enqueued_kind kind = enqueued_kind::kernel;
  std::string name;            ///< e.g. "copy_2d", "ncclAlltoAll", the kernel's name
  std::string stream;          ///< the stream's name
  std::string tag;             ///< the tensor's tag; empty if none
  int peer = -1;               ///< global rank at the other end; own rank: own chunk; -1: none
  std::uint64_t exchange = 0;  ///< epoch; 0: outside any exchange
  std::uint64_t bytes = 0;     ///< bytes copied; 8 for a signal; 0 for a kernel
  std::string scope;           ///< the scenario and arm that it belongs to
  std::int64_t enqueue_start_ns = 0;  ///< CLOCK_MONOTONIC, before the enqueue
  std::int64_t enqueue_end_ns = 0;    ///< and after it
};

/// The host's part of `op` on `rank`: a slice on the host's row.
timeline_record submit_record(const enqueued_operation& op, int rank);

/// `op` as a device performed it on `rank`. A copy is a peer copy if its peer is another rank.
timeline_record executed_record(const enqueued_operation& op, int rank, std::int64_t start_ns,
                                std::int64_t end_ns, record_engine engine);

/// `op` of which the device kept no record: an instant at the end of its enqueue.
timeline_record enqueued_only_record(const enqueued_operation& op, int rank);

}  // namespace ithaca::traces
