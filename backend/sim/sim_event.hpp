#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "backend/sim/operation_note.hpp"
#include "backend/stream.hpp"

namespace ithaca::sim {

class actor;

/// One recording of an event: happens once, and tells what its stream has heard by then.
struct event_record {
  operation_note behind;  ///< the operation before it on its stream
  bool happened = false;
  std::int64_t at_ns = 0;
  vector_clock heard;
  std::vector<actor*> watchers;
};

class sim_event final : public event {
 public:
  /// Virtual nanoseconds. Throws `std::logic_error` unless both are recorded and have happened.
  std::int64_t elapsed_ns_since(const event& start) const override;

  /// Replaces the current record: waits enqueued before keep the one they saw.
  const std::shared_ptr<event_record>& renew() {
    return current_ = std::make_shared<event_record>();
  }
  /// Null before the first record.
  const std::shared_ptr<event_record>& current() const { return current_; }

 private:
  std::shared_ptr<event_record> current_;
};

}  // namespace ithaca::sim
