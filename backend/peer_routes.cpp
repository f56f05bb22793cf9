#include "backend/peer_routes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ithaca {

std::vector<int> peers_in_order(int rank, int group_size, peer_order order) {
  std::vector<int> peers;
  for (int step = 0; step < group_size; ++step) {
    const int peer = order == peer_order::naive ? step : (rank + step) % group_size;
    if (peer != rank) peers.push_back(peer);
  }
  return peers;
}

const peer_route& peer_routes::find_or_make(const tensor_geometry& tensor, int rank,
                                            peer_order order, const slice& part,
                                            const tensor_strides& strides) {
  const auto known = std::ranges::find_if(
      known_, [&](const peer_route& each) { return each.part == part && each.strides == strides; });
  if (known != known_.end()) return *known;

  peer_route made{part, strides, {}, {}};
  const auto copies = plan_exchange(tensor, rank, part, strides);
  const auto append = [&](int peer, std::vector<pitched_copy>& to) {
    std::ranges::copy_if(copies, std::back_inserter(to),
                         [&](const pitched_copy& copy) { return copy.peer == peer; });
  };
  for (const int peer : peers_in_order(rank, tensor.layout.degree(), order)) {
    append(peer, made.to_peers);
  }
  append(rank, made.own);
  if (known_.size() == capacity) known_.clear();
  return known_.emplace_back(std::move(made));
}

}  // namespace ithaca
