#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace ithaca::traces {

/// What a record stands for. `submit` is the host's enqueue of an operation, `range` a named
/// stretch of time around others (a stage, a sample).
enum class record_kind {
  peer_copy,
  local_copy,
  memset,
  kernel,
  signal_write,
  signal_wait,
  submit,
  range
};
std::string_view to_string(record_kind kind);

/// What performed it. `none`: not known.
enum class record_engine { copy_engine, sm, host_thread, none };
std::string_view to_string(record_engine engine);

/// The row of what the host itself does.
inline constexpr std::string_view host_row = "host";

/// A signal that a copy carries is one word; what is larger is traffic, whatever it was called.
inline constexpr std::uint64_t signal_bytes = 8;

/// One thing that happened on one rank.
struct timeline_record {
  int rank = 0;     ///< global rank
  std::string row;  ///< the stream's name, or `host_row`
  record_kind kind = record_kind::range;
  std::string name;
  std::string tag;             ///< the tensor's tag; empty if none
  int peer = -1;               ///< global rank at the other end; own rank: own chunk; -1: none
  std::uint64_t bytes = 0;     ///< bytes moved
  std::uint64_t exchange = 0;  ///< epoch; 0: outside any exchange (poisoning, checking, gate)
  record_engine engine = record_engine::none;
  std::int64_t start_ns = 0;    ///< CLOCK_MONOTONIC of the host (a simulation: its own clock)
  std::int64_t end_ns = 0;      ///< not before `start_ns`
  std::uint64_t operation = 0;  ///< the enqueued operation's id, unique in the process; 0: none
  /// The device keeps no record of it: both times are those of its enqueue.
  bool enqueued_only = false;
  std::string scope;  ///< the scenario and arm that it belongs to
  /// SMs that a kernel holds: one for each of its thread blocks, at most all; 0: not known.
  std::uint32_t sms = 0;

  bool operator==(const timeline_record&) const = default;
};

void to_json(nlohmann::json& to, const timeline_record& record);
/// Throws `nlohmann::json::exception` for a missing or mistyped field, `std::invalid_argument` for
/// an unknown kind or engine.
void from_json(const nlohmann::json& from, timeline_record& record);

}  // namespace ithaca::traces
