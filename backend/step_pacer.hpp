#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "backend/direct_options.hpp"
#include "backend/signal_board.hpp"

namespace ithaca {

class device;

/// Keeps copies in rotated order apart at their receivers, also where ranks come at different
/// times. In step i = 1 .. U - 1 of a submit rank r sends to rank r + i; it begins once whoever
/// sent there in the step before has ended that step: rank r + 1 within a submit, rank r + 2 for
/// the first step of a further one (mod U). A write and a wait a step. With two ranks there is
/// nothing to keep apart: then nobody paces.
///
/// Steps are counted over all submits of all exchanges, alike on every rank, whether any bytes go
/// or not: words only grow. A step waits for what has a smaller number, or was submitted before it,
/// so that no ring of waits comes about.
class step_pacer {
 public:
  /// Whether steps of so many ranks are to be paced.
  static bool is_wanted(const direct_options& options, int group_size);

  /// `board` outlives it.
  step_pacer(const direct_options& options, int rank, int group_size, const signal_board& board);

  /// All steps of a submit of `tag` follow.
  void begin_submit(std::string_view tag, std::uint64_t epoch);
  /// Around what one step enqueues on `copies`, always the same stream.
  void begin_step(stream& copies);
  void end_step(stream& copies);

  /// Whose step this rank's copies wait for, in words after "; ", if it has not come. Reads device
  /// memory.
  std::string missing(device& on) const;

 private:
  /// A submit, for people.
  struct note {
    std::string tag;
    std::uint64_t epoch = 0;
  };
  static constexpr std::size_t notes_kept = 64;

  bool ends_submit(std::uint64_t step) const { return step % steps_of_submit_ == 0; }
  int rank_after(int distance) const { return (rank_ + distance) % group_size_; }
  /// Who sent to a step's receiver in the step before, whose number is `before`.
  int writer_of(std::uint64_t before) const { return rank_after(ends_submit(before) ? 2 : 1); }
  std::string in_words(std::uint64_t step) const;

  int rank_;
  int group_size_;
  std::uint64_t steps_of_submit_;
  const signal_board& board_;
  signaller ends_;
  std::uint64_t begun_ = 0;    // steps, of all submits
  std::uint64_t submits_ = 0;  // so far
  std::deque<note> notes_;     // of the latest submits
};

}  // namespace ithaca
