#include "backend/signal_board.hpp"

namespace ithaca {

std::size_t signal_board::size_bytes(int group_size) {
  const std::size_t words = (1 + max_tags) * static_cast<std::size_t>(group_size);
  return (words + 1) * sizeof(std::uint64_t);
}

signal_board::signal_board(group& among, device& on, std::shared_ptr<memory> page)
    : rank_(among.rank()), group_size_(among.size()), pages_(among, on, std::move(page)) {}

std::uint64_t* signal_board::word(int on_rank, std::size_t row, int from) const {
  const std::size_t index =
      row * static_cast<std::size_t>(group_size_) + static_cast<std::size_t>(from);
  return reinterpret_cast<std::uint64_t*>(pages_.at(on_rank)) + index;
}

const std::uint64_t* signal_board::arrival(int from) const { return word(rank_, 0, from); }

std::uint64_t* signal_board::peer_arrival(int peer) const { return word(peer, 0, rank_); }

const std::uint64_t* signal_board::released(std::size_t tag, int from) const {
  return word(rank_, 1 + tag, from);
}

std::uint64_t* signal_board::peer_released(std::size_t tag, int peer) const {
  return word(peer, 1 + tag, rank_);
}

std::uint32_t* signal_board::blocks_done() const {
  return reinterpret_cast<std::uint32_t*>(word(rank_, 1 + max_tags, 0));
}

}  // namespace ithaca
