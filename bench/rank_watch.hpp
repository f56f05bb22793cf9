#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "backend/unique_fd.hpp"
#include "backend/watch.hpp"

namespace ithaca::bench {

/// How a rank of a program ends when it can't go on: with one line, soon, and for certain.
///
/// It heeds SIGTERM and SIGINT as it heeds the death of a peer: the next look of a wait on the host
/// finds waiting in vain. The line is printed when the rank gives up, before anything is unwound;
/// then what was measured can be saved, but however long destructors take, the process ends in time
/// with exit code 3. One that does not even come to give up is ended too, with a shorter line.
class rank_watch final : public watch {
 public:
  /// `program` begins every line. Before any other thread is made: the signals are blocked in this
  /// thread and in those that it makes; others pass them on. One at a time in a process.
  explicit rank_watch(std::string program);
  ~rank_watch() override;

  /// From now on lines carry `rank`, and `peers` (may be null) sees those who go.
  void begin(int rank, std::shared_ptr<watch> peers);
  const std::string& program() const { return program_; }

  std::string in_vain() override;
  void give_up(const std::string& error, const std::string& cause) override;
  void enter_call(const std::string& error, std::chrono::steady_clock::time_point by) override;
  void leave_call() override;

  /// There is nothing more to say, whatever comes: the launcher may end this rank for another's
  /// end.
  void rest();

  /// Prints `error` unless this rank has had its last words, tells the peers, and ends the process
  /// once they have had time for theirs.
  [[noreturn]] void end(const std::string& error);

 private:
  using time_point = std::chrono::steady_clock::time_point;

  void run(const std::stop_token& stop);
  void heed_signal();
  /// What the watching thread does about the time; says when to look again.
  std::optional<time_point> heed_time();
  std::string line(const std::string& text) const;
  void say(const std::string& text);
  void say_and_leave(const std::string& text, const std::string& cause);
  void leave_by(time_point when);
  void wake();

  std::string program_;
  std::mutex mutex_;  // of all that follows
  int rank_ = -1;     // -1: none yet
  std::shared_ptr<watch> peers_;
  int signal_ = 0;
  bool said_ = false;
  std::optional<time_point> leave_by_;
  std::string if_late_;  // what is said if the rank itself does not until then
  std::string call_;
  std::optional<time_point> call_by_;
  unique_fd signals_;
  unique_fd wakes_;
  std::jthread thread_;  // last: starts when the rest exists
};

}  // namespace ithaca::bench
