#pragma once

#include <vector>

#include "backend/exchange_plan.hpp"

namespace ithaca {

/// In which order a rank sends to its peers. Rotated (rank + 1, rank + 2, ...) keeps receivers
/// apart while all ranks keep step; paced is rotated, and keeps them in step (step_pacer); naive
/// (0, 1, ...) makes all ranks send to the same one at a time.
enum class peer_order { rotated, naive, paced };

/// The other ranks, in the order in which `rank` sends to them.
std::vector<int> peers_in_order(int rank, int group_size, peer_order order);

/// The copies that move one slice of a tensor: those to peers in sending order, the own chunk's
/// apart.
struct peer_route {
  slice part;
  tensor_strides strides;
  std::vector<pitched_copy> to_peers;
  std::vector<pitched_copy> own;
};

/// The routes of one tensor on one rank, worked out once for each slice and source layout.
class peer_routes {
 public:
  /// Routes that are kept; schedules use a handful.
  static constexpr std::size_t capacity = 64;

  /// Throws `std::out_of_range` if `part` leaves the source. Valid until the next call.
  const peer_route& find_or_make(const tensor_geometry& tensor, int rank, peer_order order,
                                 const slice& part, const tensor_strides& strides);
  /// For another tensor.
  void clear() { known_.clear(); }
  std::size_t size() const { return known_.size(); }

 private:
  std::vector<peer_route> known_;
};

}  // namespace ithaca
