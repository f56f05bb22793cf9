#include "bench/whereabouts.hpp"

#include <utility>

#include "backend/exchange_ledger.hpp"

namespace ithaca::bench {

whereabouts::whereabouts(const group& world, std::string scenario)
    : scenario_(std::move(scenario)),
      place_told_(world, [this] { return place(); }),
      standing_told_(world, [this] { return standing(); }) {}

void whereabouts::turn_to(const contender& who) {
  name_ = who.who().full_name();
  at_work_ = who.shared_transport();
}

std::string whereabouts::place() const {
  return name_.empty() ? scenario_ : scenario_ + " " + name_;
}

std::string whereabouts::standing() const {
  const auto transport = at_work_.lock();
  return transport ? transport->standing() : exchange_ledger().standing();
}

}  // namespace ithaca::bench
