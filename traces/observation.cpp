#include "traces/observation.hpp"

#include <nlohmann/json.hpp>

#include "traces/kernel_name.hpp"

namespace ithaca::traces {
namespace {

void add(copy_totals& totals, const timeline_record& copy) {
  ++totals.count;
  totals.bytes += copy.bytes;
}

void add_engine(observation& seen, record_engine engine) {
  if (engine == record_engine::copy_engine)
    ++seen.peer_copies_on_copy_engine;
  else if (engine == record_engine::sm)
    ++seen.peer_copies_on_sm;
  else
    ++seen.peer_copies_engine_unknown;
}

nlohmann::json totals_json(const copy_totals& totals) {
  return {{"count", totals.count}, {"bytes", totals.bytes}};
}

bool is_copy(record_kind kind) {
  return kind == record_kind::peer_copy || kind == record_kind::local_copy;
}

}  // namespace

observation observe(std::span<const timeline_record> records, std::uint64_t flag_bytes) {
  observation seen;
  for (const timeline_record& record : records) {
    if (record.exchange == 0) continue;
    if (record.kind == record_kind::submit || record.kind == record_kind::range) continue;
    if (record.kind == record_kind::signal_write) {
      ++seen.signal_writes;
    } else if (record.kind == record_kind::signal_wait) {
      ++seen.signal_waits;
    } else if (record.enqueued_only) {
      ++seen.without_record;
    } else if (is_copy(record.kind) && record.bytes <= flag_bytes) {
      ++seen.flag_copies;
    } else if (record.kind == record_kind::peer_copy) {
      add(seen.peer_copies, record);
      add_engine(seen, record.engine);
    } else if (record.kind == record_kind::local_copy) {
      add(seen.local_copies, record);
    } else if (record.kind == record_kind::memset) {
      ++seen.memsets;
    } else {
      ++seen.kernels[unqualified_kernel_name(record.name)];
    }
  }
  return seen;
}

void to_json(nlohmann::json& to, const observation& seen) {
  to = {{"kernels", seen.kernels},
        {"peer_copies", totals_json(seen.peer_copies)},
        {"peer_copies_on_copy_engine", seen.peer_copies_on_copy_engine},
        {"peer_copies_on_sm", seen.peer_copies_on_sm},
        {"peer_copies_engine_unknown", seen.peer_copies_engine_unknown},
        {"local_copies", totals_json(seen.local_copies)},
        {"flag_copies", seen.flag_copies},
        {"memsets", seen.memsets},
        {"signal_writes", seen.signal_writes},
        {"signal_waits", seen.signal_waits},
        {"without_record", seen.without_record}};
}

}  // namespace ithaca::traces
