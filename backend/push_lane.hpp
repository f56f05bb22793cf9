#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "backend/device.hpp"
#include "backend/signal_board.hpp"
#include "kernels/copy_region.hpp"

namespace ithaca {

/// Exchanges by one kernel each, on the streams of their callers: gathers what is submitted until
/// the last submit, and keeps the kernels in the order of their epochs. A stream that a submit was
/// made on must live until the exchange's last submit.
class push_lane {
 public:
  /// `peers` in sending order; `ctas`: thread blocks of a kernel. `on` outlives the lane.
  push_lane(device& on, int rank, std::vector<int> peers, int ctas);

  /// Keeps the regions of a submit of `tag` whose source is ready on `at`. `most_pieces`: of such a
  /// submit on any rank.
  void gather(std::size_t tag, std::vector<kernels::copy_region> regions, std::size_t most_pieces,
              stream& at);
  bool empty() const { return tags_.empty(); }
  /// Tags of what is gathered, in the order of submission.
  const std::vector<std::size_t>& tags() const { return tags_; }
  /// Whether one kernel can do it, whose targets were written by so many different exchanges
  /// before: the same on every rank.
  bool fits(std::size_t exchanges_before) const;

  /// Exchanges what is gathered, by one kernel on `at`, for which it fits, once every word of
  /// `before` has come.
  void exchange(stream& at, const signal_board& board, std::vector<awaited_word> before,
                std::uint64_t epoch, std::string_view tag);
  /// Hands out what is gathered, for another lane: `at` follows its sources.
  std::vector<kernels::copy_region> take(stream& at);

  /// Waits on the host until the latest kernel has looked at its last signal; false when
  /// `deadline` passes first.
  bool synchronize(const signal_board& board, std::chrono::steady_clock::time_point deadline,
                   watch* looks_at) const;

 private:
  void clear();

  device& device_;
  int rank_;
  std::vector<int> peers_;
  int ctas_;
  std::unique_ptr<event> source_ready_;
  std::vector<kernels::copy_region> regions_;
  std::vector<std::size_t> tags_;
  std::size_t most_pieces_ = 0;
  stream* ready_on_ = nullptr;       // where all gathered sources are ready
  std::uint64_t latest_epoch_ = 0;   // of the kernels
  std::uint64_t latest_stream_ = 0;  // id
};

}  // namespace ithaca
