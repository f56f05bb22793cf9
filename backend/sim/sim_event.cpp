#include "backend/sim/sim_event.hpp"

#include <stdexcept>

namespace ithaca::sim {

std::int64_t sim_event::elapsed_ns_since(const event& start) const {
  const auto& from = dynamic_cast<const sim_event&>(start);
  if (!current_ || !from.current_ || !current_->happened || !from.current_->happened) {
    throw std::logic_error("the event was not recorded, or has not happened yet");
  }
  return current_->at_ns - from.current_->at_ns;
}

}  // namespace ithaca::sim
