#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/unique_fd.hpp"
#include "backend/watch.hpp"

namespace ithaca {

/// A local socket between every two ranks of one host, over which descriptors travel
/// (SCM_RIGHTS). The sockets have abstract names: nothing is left in any file system. They stay
/// open as long as the mesh lives, so that their end tells that a rank is gone: the kernel closes
/// them however a process ends. One that leaves in order says so first.
class descriptor_mesh {
 public:
  using text_gatherer = std::function<std::vector<std::string>(const std::string&)>;

  /// Collective. `gather` hands every rank's text to all. Throws `exchange_broken` if a rank
  /// can't be reached within `timeout` (it is on another host, or gone).
  descriptor_mesh(int rank, int size, const text_gatherer& gather,
                  std::chrono::milliseconds timeout);
  descriptor_mesh(descriptor_mesh&&) noexcept = default;
  descriptor_mesh& operator=(descriptor_mesh&&) noexcept = delete;
  /// Tells the peers that this rank leaves in order, unless an error unwinds.
  ~descriptor_mesh();

  /// Collective: everyone's descriptor, by rank; the own entry is empty. Throws `exchange_broken`
  /// for a peer that is gone or silent, or once waiting is in vain, by `looks_at`.
  std::vector<unique_fd> all_gather(const unique_fd& mine, std::chrono::milliseconds timeout,
                                    watch* looks_at = nullptr);

  /// Empty, or in words which rank is gone, or gave up and why. Never waits; from any thread.
  std::string who_is_gone();
  /// Tells all peers that this rank gives up, because of `error`; or, where one gave up before,
  /// because of that. From any thread.
  void give_up(const std::string& error);

 private:
  struct connection {
    unique_fd socket;                    // empty for this rank itself
    std::deque<unique_fd> arrived = {};  // not yet asked for
    std::string error = {};              // of the first that gave up, as far as it knows
    int gave_up = -1;                    // its rank
    bool left = false;
    bool closed = false;
  };

  /// Takes in what has come from a peer.
  void take_in(connection& from);
  unique_fd next_descriptor(std::size_t from, std::chrono::steady_clock::time_point deadline,
                            watch* looks_at);
  /// One that gave up, or null.
  const connection* first_failure() const;
  void tell_all(int kind, int from, const std::string& text);

  int rank_;
  std::unique_ptr<std::mutex> mutex_;  // of what follows; threads look at the same time
  std::vector<connection> peers_;      // by rank
};

}  // namespace ithaca
