#include "traces/work_part.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "traces/kernel_name.hpp"

namespace ithaca::traces {
namespace {

/// Kernels of an exchange that move bytes within the rank.
constexpr std::array<std::string_view, 3> local_kernels = {"pack_kernel", "relayout_kernel",
                                                           "own_chunk_kernel"};

work_part part_of_kernel(const timeline_record& record) {
  if (record.exchange == 0) return work_part::computation;
  const bool local =
      record.peer == record.rank ||
      std::ranges::find(local_kernels, unqualified_kernel_name(record.name)) != local_kernels.end();
  return local ? work_part::within_rank : work_part::to_peers;
}

}  // namespace

work_part part_of(const timeline_record& record) {
  if (record.enqueued_only) return work_part::none;
  const bool copies = record.exchange != 0 && record.bytes > signal_bytes;
  switch (record.kind) {
    case record_kind::peer_copy:
      return copies ? work_part::to_peers : work_part::none;
    case record_kind::local_copy:
      return copies ? work_part::within_rank : work_part::none;
    case record_kind::memset:
      return record.exchange == 0 ? work_part::computation : work_part::within_rank;
    case record_kind::kernel:
      return part_of_kernel(record);
    case record_kind::signal_write:
    case record_kind::signal_wait:
    case record_kind::submit:
    case record_kind::range:
      break;
  }
  return work_part::none;
}

}  // namespace ithaca::traces
