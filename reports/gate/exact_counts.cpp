#include "reports/gate/exact_counts.hpp"

namespace ithaca::reports::gate {

exact_counts counts_of(const operation_counts& from) {
  exact_counts counts = {{"peer_copies", from.peer_copies},
                         {"peer_bytes", from.peer_bytes},
                         {"local_copies", from.local_copies},
                         {"signal_writes", from.signal_writes},
                         {"signal_waits", from.signal_waits},
                         {"allocations_after_warmup", from.allocations_after_warmup},
                         {"host_collectives_after_warmup", from.host_collectives_after_warmup}};
  for (const auto& [name, launches] : from.kernels) counts["kernels." + name] = launches;
  return counts;
}

}  // namespace ithaca::reports::gate
