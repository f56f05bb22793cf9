#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "backend/group.hpp"

namespace ithaca {

/// What the ranks of one thread group share.
class thread_meeting {
 public:
  explicit thread_meeting(int size);

  /// Hands in `mine` and returns everyone's once all ranks of this round have come.
  std::vector<std::vector<std::byte>> meet(int rank, std::span<const std::byte> mine,
                                           std::chrono::milliseconds timeout);

  int size() const { return static_cast<int>(handed_in_.size()); }

 private:
  std::mutex mutex_;
  std::condition_variable round_over_;
  std::vector<std::vector<std::byte>> handed_in_;
  std::vector<bool> present_;
  std::vector<std::vector<std::byte>> result_;
  int missing_;
  std::uint64_t round_ = 0;
};

/// Ranks that are threads of one process: one mapping of every memory, so that ThreadSanitizer
/// sees what they do to each other.
class thread_group final : public group {
 public:
  thread_group(std::shared_ptr<thread_meeting> meeting, int rank);

  int rank() const override { return rank_; }
  int size() const override { return meeting_->size(); }
  bool same_process(int) const override { return true; }

 protected:
  std::vector<std::vector<std::byte>> do_all_gather(std::span<const std::byte> mine) override;
  void do_barrier() override;
  std::vector<unique_fd> do_all_gather_descriptors(const unique_fd& mine) override;

 private:
  std::shared_ptr<thread_meeting> meeting_;
  int rank_;
};

/// Runs `program` on `size` threads, each with its rank of one group, and joins them. Rethrows
/// the failure of the lowest rank that failed.
void run_thread_ranks(int size, const std::function<void(thread_group&)>& program);

}  // namespace ithaca
