#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/peer_memory.hpp"
#include "backend/signal_words.hpp"

namespace ithaca {

/// What carries an exchange's arrival: copies, whose signals a stream writes behind them, or a
/// kernel that writes its own. Each has words of its own, since the two keep no order.
enum class signal_lane { copies, kernel };

/// The signals of a group: on every rank a page of 64-bit words that its peers write.
///
/// `arrival[lane][p]`: rank p's bytes up to this epoch of the lane have all been written here.
/// A rank's own word says so of what it sent, and is written by kernels only.
/// `released[t][p]`: rank p has given up the targets of the exchanges that tag t leads, up to this
/// epoch. With flags: of the latest one; they begin as 1, since nothing is in a new target.
/// `arrived[t][p]`: with flags, rank p's bytes of the exchange that tag t leads are here. With
/// arrival per tensor, those of tag t up to this epoch.
/// `pace[p]`: rank p has ended this step of its copies (step_pacer). Rank p tells each step to one
/// rank, so not all of them come here.
/// All other words start at 0.
class signal_board {
 public:
  static constexpr std::size_t max_tags = 16;

  /// What the page of a rank holds at first; its size is that of a page.
  static std::vector<std::uint64_t> initial(int group_size, signal_words words);

  /// Collective. `page` holds the `initial` words.
  signal_board(group& among, device& on, std::shared_ptr<memory> page);

  std::uint64_t* arrival(signal_lane lane, int from) const;
  std::uint64_t* peer_arrival(signal_lane lane, int peer) const;
  std::uint64_t* released(std::size_t tag, int from) const;
  std::uint64_t* peer_released(std::size_t tag, int peer) const;
  std::uint64_t* arrived(std::size_t tag, int from) const;
  std::uint64_t* peer_arrived(std::size_t tag, int peer) const;
  std::uint64_t* pace(int from) const;
  std::uint64_t* peer_pace(int peer) const;

  /// Words of this rank alone: the latest exchange whose kernel has ended, and one for a kernel to
  /// count its blocks in, 0 between kernels.
  std::uint64_t* kernel_ended() const;
  std::uint32_t* blocks_done() const;
  /// And those out of which staged signals are copied.
  std::uint64_t* staged_arrival() const;
  std::uint64_t* staged_release() const;
  std::uint64_t* staged_pace() const;

 private:
  std::uint64_t* word(int on_rank, std::size_t row, int from) const;

  int rank_;
  int group_size_;
  peer_memory pages_;
};

/// What a word holds now.
std::uint64_t read_word(device& on, const std::uint64_t* word);

}  // namespace ithaca
