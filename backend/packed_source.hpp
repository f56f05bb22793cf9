#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "backend/device.hpp"
#include "backend/exchange_plan.hpp"
#include "backend/exchanger.hpp"

namespace ithaca {

/// Where a tensor's rows for its peers are packed by a kernel before they are copied: what copies
/// of a strided source do without. Room for one exchange of the tensor.
class packed_source {
 public:
  /// Allocates on `on`, for what `rank` sends to its peers.
  packed_source(device& on, const tensor_geometry& tensor, int rank);

  /// Throws `invalid_use` if there is no room for what `copies` move, behind what has been packed
  /// for this exchange, or (`first`) as its first.
  void require_room(std::span<const pitched_copy> copies, bool first) const;

  /// A further exchange begins.
  void begin() { used_bytes_ = 0; }
  /// Packs on `at`, behind the copies of the exchange before, what `copies` read of `source`.
  /// Returns the copies that move it from here, contiguous rows from `data()`; there is room.
  std::vector<pitched_copy> pack(std::span<const pitched_copy> copies, const source_view& source,
                                 stream& at, const operation_label& label);
  const std::byte* data() const { return room_->data(); }

  /// All copies of the exchange are behind `sent`.
  void free_behind(std::shared_ptr<event> sent) { sent_ = std::move(sent); }
  std::size_t size_bytes() const { return room_->size_bytes(); }

 private:
  std::unique_ptr<memory> room_;
  std::size_t used_bytes_ = 0;
  std::shared_ptr<event> sent_;
};

}  // namespace ithaca
