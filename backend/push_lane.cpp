#include "backend/push_lane.hpp"

#include <algorithm>
#include <utility>

#include "kernels/push_exchange.hpp"

namespace ithaca {

push_lane::push_lane(device& on, int rank, std::vector<int> peers, int ctas)
    : device_(on),
      rank_(rank),
      peers_(std::move(peers)),
      ctas_(ctas),
      source_ready_(on.create_event(event_timing::off)) {}

void push_lane::gather(std::size_t tag, std::vector<kernels::copy_region> regions,
                       std::size_t most_pieces, stream& at) {
  if (ready_on_ && ready_on_ != &at) {
    ready_on_->record(*source_ready_);
    at.wait(*source_ready_);
  }
  ready_on_ = &at;
  if (std::ranges::find(tags_, tag) == tags_.end()) tags_.push_back(tag);
  regions_.insert(regions_.end(), regions.begin(), regions.end());
  most_pieces_ += most_pieces;
}

bool push_lane::fits(std::size_t exchanges_before) const {
  return most_pieces_ <= kernels::max_exchange_regions &&
         std::max<std::size_t>(1, exchanges_before) * peers_.size() <= kernels::max_signal_words;
}

void push_lane::exchange(stream& at, const signal_board& board, std::vector<awaited_word> before,
                         std::uint64_t epoch, std::string_view tag) {
  kernel_signals signals;
  signals.before = std::move(before);
  for (const int peer : peers_) {
    signals.after.push_back({board.peer_arrival(signal_lane::kernel, peer), epoch});
    signals.last.push_back({board.arrival(signal_lane::kernel, peer), epoch});
  }
  std::uint64_t* const sent = board.arrival(signal_lane::kernel, rank_);
  signals.sent = {sent, epoch};
  signals.ended = {board.kernel_ended(), epoch};

  // Epochs only grow on the boards if the kernels write them in their order.
  if (latest_epoch_ != 0 && latest_stream_ != at.id()) {
    at.wait_value(sent, latest_epoch_, {tag, rank_, epoch});
  }
  at.launch(
      kernels::push_exchange(std::move(regions_), std::move(signals), board.blocks_done(), ctas_),
      {tag, -1, epoch});
  latest_epoch_ = epoch;
  latest_stream_ = at.id();
  clear();
}

std::vector<kernels::copy_region> push_lane::take(stream& at) {
  ready_on_->record(*source_ready_);
  at.wait(*source_ready_);
  std::vector<kernels::copy_region> regions = std::move(regions_);
  clear();
  return regions;
}

void push_lane::clear() {
  regions_.clear();
  tags_.clear();
  most_pieces_ = 0;
  ready_on_ = nullptr;
}

bool push_lane::synchronize(const signal_board& board,
                            std::chrono::steady_clock::time_point deadline, watch* looks_at) const {
  return latest_epoch_ == 0 ||
         device_.wait_until_reached(board.kernel_ended(), latest_epoch_, deadline, looks_at);
}

}  // namespace ithaca
