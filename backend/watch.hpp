#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace ithaca {

/// How often waits on the host look at the peers.
inline constexpr std::chrono::milliseconds look_interval{20};

/// `text`, and `more` behind it unless it says that already.
std::string told_once(std::string text, const std::string& more);

/// What a process knows of its ranks' lives, and whom it tells when it can't go on.
///
/// Every wait on the host asks it several times a second, so that no rank waits for one that is
/// gone. An `mpi_group` has one that sees its peers (`peer_watch`); a program may put its own
/// around that (`bench/rank_watch` also heeds signals, and prints what is said).
class watch {
 public:
  virtual ~watch() = default;
  watch() = default;
  watch(const watch&) = delete;
  watch& operator=(const watch&) = delete;

  /// Empty, or why waiting is in vain, in words. Never blocks; from any thread.
  virtual std::string in_vain() = 0;
  /// This rank can't go on. `error` tells all; `cause` is what is of interest to others. Called
  /// before anything is thrown and unwound: a destructor may wait for what never comes. May be
  /// called more than once.
  virtual void give_up(const std::string& error, const std::string& cause) = 0;
  /// A call begins that nothing ends when a peer is gone: it should be over at `by`, and `error` is
  /// what to say if it is not. Only one at a time.
  virtual void enter_call(const std::string& /*error*/,
                          std::chrono::steady_clock::time_point /*by*/) {}
  virtual void leave_call() {}

  /// Whether it is time to ask `in_vain`: once in `look_interval`, over all waits, so that many
  /// short ones see what a long one sees. From any thread.
  bool look_is_due(std::chrono::steady_clock::time_point now);

  /// What is under way, innermost last, for the line of a rank that gives up. One thread only.
  std::vector<std::string> steps() const;
  /// `text` with those steps that neither it nor a later one tells. One thread only.
  std::string with_steps(std::string text) const;

 private:
  friend class step;
  std::atomic<std::chrono::steady_clock::time_point> next_look_{};
  std::vector<const std::function<std::string()>*> steps_;
};

}  // namespace ithaca
