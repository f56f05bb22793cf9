#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/unique_fd.hpp"
#include "backend/watch.hpp"

namespace ithaca {

/// The processes (or threads) that exchange, and the few collectives that setting up takes.
///
/// Every call is collective: all ranks call it in the same order. Each has the group's deadline;
/// when it passes, or a peer is gone, `exchange_broken` names the call and, where known, the rank.
class group {
 public:
  virtual ~group() = default;
  group() = default;
  group(const group&) = delete;
  group& operator=(const group&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Every rank's bytes, by rank; lengths may differ.
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine);
  void barrier();
  /// True if every rank says true.
  bool agree(bool mine);
  /// The largest value over all ranks.
  std::int64_t maximum(std::int64_t mine);
  std::int64_t sum(std::int64_t mine);
  /// Every rank's text, by rank.
  std::vector<std::string> all_gather_text(const std::string& mine);
  /// Every rank's descriptor, by rank, as this process's own duplicate; the own entry is empty.
  /// Ranks of one process get no duplicates either: they share memory by pointer. Throws
  /// `not_eligible` on every rank alike where they are on different hosts.
  std::vector<unique_fd> all_gather_descriptors(const unique_fd& mine);
  /// Whether `peer` lives in this process.
  virtual bool same_process(int peer) const = 0;

  /// The host of every rank, by rank, numbered from 0 in the order of their lowest ranks. Only
  /// ranks of one host can hand each other memory. Collective at the first call.
  const std::vector<int>& hosts();
  /// Empty if all ranks are on one host, else so in words. Collective at the first call.
  std::string why_not_one_host();

  /// Collective: makes `watched()` see when a peer is gone, where that can be seen. Threads can't
  /// go alone, so that a group of them does nothing here.
  virtual void watch_peers() {}
  /// What every wait on the host asks; null: nobody knows of the peers' lives. A part of a group
  /// is given the watch of the whole.
  const std::shared_ptr<watch>& watched() const { return watch_; }
  void set_watch(std::shared_ptr<watch> by) { watch_ = std::move(by); }
  /// Ends what this rank does here. Tells `watched()`, then throws `exchange_broken`: with `error`,
  /// who is gone, `where` it stands (if given; may read a device), and the steps under way.
  [[noreturn]] void give_up(const std::string& error,
                            const std::function<std::string()>& where = {}) const;

  /// Host collectives so far: an exchange must add none.
  std::uint64_t collective_count() const { return collective_count_; }

  std::chrono::milliseconds timeout() const { return timeout_; }
  void set_timeout(std::chrono::milliseconds timeout) { timeout_ = timeout; }
  std::chrono::steady_clock::time_point deadline() const {
    return std::chrono::steady_clock::now() + timeout_;
  }

 protected:
  virtual std::vector<std::vector<std::byte>> do_all_gather(std::span<const std::byte> mine) = 0;
  virtual void do_barrier() = 0;
  virtual std::vector<unique_fd> do_all_gather_descriptors(const unique_fd& mine) = 0;
  /// What names this rank's host.
  virtual std::string host_name() const;

 private:
  std::vector<std::int64_t> all_gather_numbers(std::int64_t mine);
  /// Counts a collective, and gives up if it breaks.
  template <class Call>
  auto collective(Call call);

  std::vector<int> hosts_;  // empty: not asked for yet
  std::uint64_t collective_count_ = 0;
  std::chrono::milliseconds timeout_{10'000};
  std::shared_ptr<watch> watch_;
};

}  // namespace ithaca
