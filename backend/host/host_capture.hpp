#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "backend/stream.hpp"

namespace ithaca {

/// A piece of work of a host stream. It gives up when asked to stop.
using host_work = std::function<void(const std::stop_token&)>;

/// What streams of one rank enqueue while they are being captured, in the order of the calls. That
/// order keeps all that streams and events ask for, so a replay runs it on one stream.
class host_capture {
 public:
  host_capture();

  std::uint64_t id() const { return id_; }
  void add(host_work work) { work_.push_back(std::move(work)); }
  bool ended() const { return ended_; }
  /// Ends the capture, and hands out what it holds.
  std::vector<host_work> end();

 private:
  std::uint64_t id_;
  bool ended_ = false;
  std::vector<host_work> work_;
};

class host_graph final : public graph {
 public:
  explicit host_graph(std::vector<host_work> work)
      : work_(std::make_shared<const std::vector<host_work>>(std::move(work))) {}
  /// Shared with the replays under way.
  const std::shared_ptr<const std::vector<host_work>>& work() const { return work_; }

 private:
  std::shared_ptr<const std::vector<host_work>> work_;
};

}  // namespace ithaca
