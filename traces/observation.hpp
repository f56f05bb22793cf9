#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "traces/claim.hpp"
#include "traces/timeline_record.hpp"

namespace ithaca::traces {

/// What a rank's records show of its exchanges, all exchanges together.
struct observation {
  std::map<std::string, std::uint64_t> kernels;  ///< by unqualified name
  copy_totals peer_copies;
  std::uint64_t peer_copies_on_copy_engine = 0;
  std::uint64_t peer_copies_on_sm = 0;
  /// Peer copies of which nothing says which engine made them (always so on a host or simulated
  /// device, which have neither): they can't be judged.
  std::uint64_t peer_copies_engine_unknown = 0;
  copy_totals local_copies;
  std::uint64_t flag_copies = 0;  ///< copies too small to be data; in no other count
  std::uint64_t memsets = 0;
  std::uint64_t signal_writes = 0;
  std::uint64_t signal_waits = 0;
  /// Copies, memsets and kernels that were enqueued, but of which the device kept no record. They
  /// are in no other count.
  std::uint64_t without_record = 0;

  bool operator==(const observation&) const = default;
};

/// Counts the records inside an exchange; submits and ranges are no work of the device. Copies of
/// no more than `flag_bytes` are flags, by which a library signals.
observation observe(std::span<const timeline_record> records, std::uint64_t flag_bytes = 0);

void to_json(nlohmann::json& to, const observation& seen);

}  // namespace ithaca::traces
