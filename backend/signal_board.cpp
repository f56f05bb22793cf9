#include "backend/signal_board.hpp"

#include <algorithm>

namespace ithaca {
namespace {

constexpr std::size_t lanes = 2;
constexpr std::size_t first_released = lanes;
constexpr std::size_t first_arrived = first_released + signal_board::max_tags;
constexpr std::size_t pace_row = first_arrived + signal_board::max_tags;
constexpr std::size_t rows = pace_row + 1;
constexpr std::size_t own_words = 5;

std::size_t row_of(signal_lane lane) { return lane == signal_lane::copies ? 0 : 1; }

}  // namespace

std::vector<std::uint64_t> signal_board::initial(int group_size, signal_words words) {
  const auto row = static_cast<std::size_t>(group_size);
  std::vector<std::uint64_t> page(rows * row + own_words);
  if (words == signal_words::flags) {
    std::fill_n(page.begin() + static_cast<std::ptrdiff_t>(first_released * row), max_tags * row,
                std::uint64_t{1});
  }
  return page;
}

signal_board::signal_board(group& among, device& on, std::shared_ptr<memory> page)
    : rank_(among.rank()), group_size_(among.size()), pages_(among, on, std::move(page)) {}

std::uint64_t* signal_board::word(int on_rank, std::size_t row, int from) const {
  const std::size_t index =
      row * static_cast<std::size_t>(group_size_) + static_cast<std::size_t>(from);
  return reinterpret_cast<std::uint64_t*>(pages_.at(on_rank)) + index;
}

std::uint64_t* signal_board::arrival(signal_lane lane, int from) const {
  return word(rank_, row_of(lane), from);
}

std::uint64_t* signal_board::peer_arrival(signal_lane lane, int peer) const {
  return word(peer, row_of(lane), rank_);
}

std::uint64_t* signal_board::released(std::size_t tag, int from) const {
  return word(rank_, first_released + tag, from);
}

std::uint64_t* signal_board::peer_released(std::size_t tag, int peer) const {
  return word(peer, first_released + tag, rank_);
}

std::uint64_t* signal_board::arrived(std::size_t tag, int from) const {
  return word(rank_, first_arrived + tag, from);
}

std::uint64_t* signal_board::peer_arrived(std::size_t tag, int peer) const {
  return word(peer, first_arrived + tag, rank_);
}

std::uint64_t* signal_board::pace(int from) const { return word(rank_, pace_row, from); }

std::uint64_t* signal_board::peer_pace(int peer) const { return word(peer, pace_row, rank_); }

std::uint64_t* signal_board::kernel_ended() const { return word(rank_, rows, 0); }

std::uint64_t* signal_board::staged_arrival() const { return word(rank_, rows, 0) + 2; }

std::uint64_t* signal_board::staged_release() const { return word(rank_, rows, 0) + 3; }

std::uint64_t* signal_board::staged_pace() const { return word(rank_, rows, 0) + 4; }

std::uint32_t* signal_board::blocks_done() const {
  return reinterpret_cast<std::uint32_t*>(word(rank_, rows, 0) + 1);
}

std::uint64_t read_word(device& on, const std::uint64_t* word) {
  std::uint64_t value = 0;
  on.read(reinterpret_cast<const std::byte*>(word), std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

}  // namespace ithaca
