#include "backend/step_pacer.hpp"

#include <algorithm>
#include <array>

#include "backend/device.hpp"

namespace ithaca {

bool step_pacer::is_wanted(const direct_options& options, int group_size) {
  return options.order == peer_order::paced && group_size > 2;
}

step_pacer::step_pacer(const direct_options& options, int rank, int group_size,
                       const signal_board& board)
    : rank_(rank),
      group_size_(group_size),
      steps_of_submit_(static_cast<std::uint64_t>(group_size - 1)),
      board_(board),
      ends_(kind_beside_arrival(options), board.staged_pace()) {}

void step_pacer::begin_submit(std::string_view tag, std::uint64_t epoch) {
  ++submits_;
  notes_.push_back({std::string(tag), epoch});
  if (notes_.size() > notes_kept) notes_.pop_front();
}

void step_pacer::begin_step(stream& copies) {
  const std::uint64_t before = begun_++;
  if (before == 0) return;
  const int writer = writer_of(before);
  copies.wait_value(board_.pace(writer), before, {notes_.back().tag, writer, notes_.back().epoch});
}

void step_pacer::end_step(stream& copies) {
  // Told is the rank whose next step goes where this one went.
  const int next = rank_after(group_size_ - (ends_submit(begun_) ? 2 : 1));
  ends_.signal(copies, std::array{peer_word{next, board_.peer_pace(next)}}, begun_,
               {notes_.back().tag, rank_, notes_.back().epoch});
}

std::string step_pacer::missing(device& on) const {
  if (begun_ == 0) return "";
  // The two writers tell of different steps; copies stand at the first that has not come.
  std::uint64_t within = read_word(on, board_.pace(rank_after(1))) + 1;
  if (ends_submit(within)) ++within;
  const std::uint64_t across = read_word(on, board_.pace(rank_after(2))) + steps_of_submit_;
  const std::uint64_t step = std::min(within, across);
  if (step >= begun_) return "";
  return "; rank " + std::to_string(writer_of(step)) + " has not finished " + in_words(step);
}

std::string step_pacer::in_words(std::uint64_t step) const {
  const std::uint64_t submit = (step - 1) / steps_of_submit_;  // from 0
  const std::string text = "step " + std::to_string((step - 1) % steps_of_submit_ + 1);
  const std::uint64_t first_noted = submits_ - notes_.size();
  if (submit < first_noted) {
    return text + " of a submit before epoch " + std::to_string(notes_.front().epoch);
  }
  const note& its = notes_[submit - first_noted];
  return text + " of tag " + its.tag + " of epoch " + std::to_string(its.epoch);
}

}  // namespace ithaca
