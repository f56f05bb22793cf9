#include "backend/copy_lanes.hpp"

#include <algorithm>
#include <string>

namespace ithaca {

copy_lanes::copy_lanes(device& on, std::size_t count, stream_priority priority) {
  streams_.push_back(on.create_stream("copy", priority));
  for (std::size_t lane = 1; lane < count; ++lane) {
    streams_.push_back(on.create_stream("copy " + std::to_string(lane), priority));
  }
}

void copy_lanes::wait(const event& at) {
  for (const auto& each : streams_) each->wait(at);
}

void copy_lanes::join(event_pool& marks) {
  for (std::size_t lane = 1; lane < streams_.size(); ++lane) {
    first().wait(*marks.recorded(*streams_[lane]));
  }
}

bool copy_lanes::synchronize(std::chrono::steady_clock::time_point deadline, watch* looks_at) {
  return std::ranges::all_of(
      streams_, [&](const auto& each) { return each->synchronize(deadline, looks_at); });
}

}  // namespace ithaca
