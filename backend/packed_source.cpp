#include "backend/packed_source.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "backend/errors.hpp"
#include "kernels/move_regions.hpp"

namespace ithaca {

packed_source::packed_source(device& on, const tensor_geometry& tensor, int rank)
    : room_(on.allocate(std::max<std::size_t>(1, tensor.peer_bytes(rank)))) {}

void packed_source::require_room(std::span<const pitched_copy> copies, bool first) const {
  std::size_t bytes = first ? 0 : used_bytes_;
  for (const pitched_copy& each : copies) bytes += each.bytes();
  if (bytes <= room_->size_bytes()) return;
  throw invalid_use("a packed source has room for each row and head once: " +
                    std::to_string(bytes) + " bytes in " + std::to_string(room_->size_bytes()));
}

std::vector<pitched_copy> packed_source::pack(std::span<const pitched_copy> copies,
                                              const source_view& source, stream& at,
                                              const operation_label& label) {
  std::vector<kernels::copy_region> regions;
  std::vector<pitched_copy> packed;
  for (const pitched_copy& each : copies) {
    regions.push_back({source.data + each.source_offset, each.source_pitch,
                       room_->data() + used_bytes_, each.width, each.width, each.height});
    pitched_copy& made = packed.emplace_back(each);
    made.source_offset = used_bytes_;
    made.source_pitch = each.width;
    if (each.target_pitch == each.width) {
      made.width = made.source_pitch = made.target_pitch = each.bytes();
      made.height = 1;
    }
    used_bytes_ += each.bytes();
  }
  if (regions.empty()) return packed;
  if (sent_) at.wait(*sent_);
  at.launch(kernels::pack(std::move(regions)), label);
  return packed;
}

}  // namespace ithaca
