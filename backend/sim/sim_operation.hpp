#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "backend/operation.hpp"
#include "backend/sim/memory_map.hpp"
#include "backend/stream.hpp"

namespace ithaca::sim {

struct event_record;

enum class sim_operation_kind { copy, write_value, wait_value, kernel, record_event, wait_event };

/// Bytes that an operation declares. `in` is null where no allocation holds them.
struct declared_access {
  allocation* in = nullptr;
  pitched_bytes bytes;
  access_kind kind = access_kind::read;
};

struct signal {
  word* at = nullptr;
  std::uint64_t value = 0;
};

/// An operation that was enqueued on a simulated stream.
struct sim_operation {
  sim_operation_kind kind = sim_operation_kind::kernel;
  int rank = 0;              ///< whose stream
  std::uint32_t stream = 0;  ///< number of the stream in the world
  operation_note note;
  std::uint64_t bytes = 0;  ///< of a copy
  std::vector<declared_access>
      accesses;  ///< a copy: source, target; a kernel: reads, then the others

  signal awaited;        ///< wait_value, write_value
  bool exactly = false;  ///< the wait looks for the value itself (a fault)
  std::vector<signal> before = {}, after = {}, last = {};  ///< a kernel's, as in `kernel_signals`
  signal sent, ended;
  std::shared_ptr<event_record> record;  ///< record_event, wait_event

  copy_2d copy;
  std::function<void()> host;                    ///< a kernel's work; empty if bytes are not moved
  std::shared_ptr<const vector_clock> enqueued;  ///< what the host had heard; null: nothing new
  std::optional<operation> observed;             ///< for the observer that was attached
  std::int64_t begun_ns = 0;
  bool sound = true;  ///< its memory was there
  sim_operation* next = nullptr;

  /// The rank whose memory a copy reads, or writes; -1 if unknown.
  int source_rank() const { return rank_of(0); }
  int target_rank() const { return rank_of(1); }

 private:
  int rank_of(std::size_t access) const {
    return access < accesses.size() && accesses[access].in ? accesses[access].in->owner : -1;
  }
};

}  // namespace ithaca::sim
