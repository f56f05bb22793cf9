#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/peer_memory.hpp"

namespace ithaca {

/// The signals of a group: on every rank a page of 64-bit epochs that its peers write.
///
/// `arrival[p]`: rank p's bytes up to this exchange have all been written here. A rank's own word
/// is written only by exchanges whose signals come from a kernel.
/// `released[t][p]`: rank p has given up the targets of the exchange of tag t up to this epoch.
/// All words start at 0 and only grow.
class signal_board {
 public:
  static constexpr std::size_t max_tags = 16;

  static std::size_t size_bytes(int group_size);

  /// Collective. `page` holds `size_bytes` zeroed bytes of this rank.
  signal_board(group& among, device& on, std::shared_ptr<memory> page);

  const std::uint64_t* arrival(int from) const;
  std::uint64_t* peer_arrival(int peer) const;
  const std::uint64_t* released(std::size_t tag, int from) const;
  std::uint64_t* peer_released(std::size_t tag, int peer) const;
  /// A word of this rank alone, for a kernel to count its blocks in; 0 between kernels.
  std::uint32_t* blocks_done() const;

 private:
  std::uint64_t* word(int on_rank, std::size_t row, int from) const;

  int rank_;
  int group_size_;
  peer_memory pages_;
};

}  // namespace ithaca
