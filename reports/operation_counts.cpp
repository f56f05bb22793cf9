#include "reports/operation_counts.hpp"

#include "reports/object_reader.hpp"

namespace ithaca::reports {

json to_json(const operation_counts& from) {
  return {{"kernels", json(from.kernels)},
          {"peer_copies", from.peer_copies},
          {"peer_bytes", from.peer_bytes},
          {"local_copies", from.local_copies},
          {"signal_writes", from.signal_writes},
          {"signal_waits", from.signal_waits},
          {"allocations_after_warmup", from.allocations_after_warmup},
          {"host_collectives_after_warmup", from.host_collectives_after_warmup}};
}

operation_counts operation_counts_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  operation_counts to;
  const std::string kernels = reader.place_of("kernels");
  for (const auto& [name, launches] : as_object(reader.at("kernels"), kernels).items()) {
    to.kernels[name] = as_count(launches, kernels + "." + name);
  }
  to.peer_copies = reader.count("peer_copies");
  to.peer_bytes = reader.count("peer_bytes");
  to.local_copies = reader.count("local_copies");
  to.signal_writes = reader.count("signal_writes");
  to.signal_waits = reader.count("signal_waits");
  to.allocations_after_warmup = reader.count("allocations_after_warmup");
  to.host_collectives_after_warmup = reader.count("host_collectives_after_warmup");
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
