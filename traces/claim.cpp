#include "traces/claim.hpp"

#include <algorithm>

namespace ithaca::traces {
namespace {

void add(copy_totals& to, const copy_totals& more) {
  to.count += more.count;
  to.bytes += more.bytes;
}

}  // namespace

claim& claim::operator+=(const claim& other) {
  for (const claimed_kernel& each : other.kernels) {
    const auto known = std::ranges::find(kernels, each.name, &claimed_kernel::name);
    if (known == kernels.end())
      kernels.push_back(each);
    else
      known->count += each.count;
  }
  add(peer_copies, other.peer_copies);
  add(local_copies, other.local_copies);
  peer_copies_on_copy_engine |= other.peer_copies_on_copy_engine;
  copies_in_any_number |= other.copies_in_any_number;
  flag_bytes = std::max(flag_bytes, other.flag_bytes);
  memsets += other.memsets;
  signal_writes += other.signal_writes;
  signal_waits += other.signal_waits;
  return *this;
}

}  // namespace ithaca::traces
