#pragma once

#include <memory>
#include <string>

#include "backend/exchanger.hpp"
#include "backend/step.hpp"
#include "bench/contender.hpp"

namespace ithaca::bench {

/// Where a campaign is, for the line of a rank that gives up, within a sample or between two: the
/// scenario, whose turn it is, and where that exchange stands.
class whereabouts {
 public:
  /// Told of as long as this lives. It may outlive the contenders.
  whereabouts(const group& world, std::string scenario);

  /// It is `who`'s turn, which is ready.
  void turn_to(const contender& who);

 private:
  std::string place() const;
  std::string standing() const;

  std::string scenario_;
  std::string name_;                  // of whose turn it is; empty: nobody's yet
  std::weak_ptr<exchanger> at_work_;  // theirs, until it goes
  step place_told_;
  step standing_told_;
};

}  // namespace ithaca::bench
