#include "backend/threads/thread_group.hpp"

#include <exception>
#include <thread>

#include "backend/errors.hpp"

namespace ithaca {

thread_meeting::thread_meeting(int size)
    : handed_in_(static_cast<std::size_t>(size)),
      present_(static_cast<std::size_t>(size)),
      missing_(size) {}

std::vector<std::vector<std::byte>> thread_meeting::meet(int rank, std::span<const std::byte> mine,
                                                         std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  const auto at = static_cast<std::size_t>(rank);
  handed_in_[at].assign(mine.begin(), mine.end());
  present_[at] = true;
  if (--missing_ == 0) {
    result_ = handed_in_;
    missing_ = size();
    present_.assign(handed_in_.size(), false);
    ++round_;
    round_over_.notify_all();
    return result_;
  }
  const std::uint64_t mine_round = round_;
  if (!round_over_.wait_for(lock, timeout, [&] { return round_ != mine_round; })) {
    std::string absent;
    for (std::size_t each = 0; each < present_.size(); ++each) {
      if (!present_[each]) absent += " " + std::to_string(each);
    }
    throw exchange_broken("a group call ran out of time; ranks that did not come:" + absent);
  }
  // The next round can't end before this rank has left this one, so the result still stands.
  return result_;
}

thread_group::thread_group(std::shared_ptr<thread_meeting> meeting, int rank)
    : meeting_(std::move(meeting)), rank_(rank) {}

std::vector<std::vector<std::byte>> thread_group::do_all_gather(std::span<const std::byte> mine) {
  return meeting_->meet(rank_, mine, timeout());
}

void thread_group::do_barrier() { meeting_->meet(rank_, {}, timeout()); }

std::vector<unique_fd> thread_group::do_all_gather_descriptors(const unique_fd&) {
  return std::vector<unique_fd>(static_cast<std::size_t>(size()));
}

void run_thread_ranks(int size, const std::function<void(thread_group&)>& program) {
  const auto meeting = std::make_shared<thread_meeting>(size);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  {
    std::vector<std::jthread> ranks;
    for (int rank = 0; rank < size; ++rank) {
      ranks.emplace_back([&, rank] {
        try {
          thread_group mine(meeting, rank);
          program(mine);
        } catch (...) {
          failures[static_cast<std::size_t>(rank)] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace ithaca
