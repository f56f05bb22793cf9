#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bench/arm.hpp"
#include "bench/sampler.hpp"
#include "bench/ulysses_site.hpp"
#include "bench/workload.hpp"

namespace ithaca::bench {

/// An arm made ready in one scenario, or the reason why it can't run there.
class contender {
 public:
  /// Collective over the group. `name`: the arm's, or the second one of the A/A pair.
  contender(std::string name, const arm& what, ulysses_site& site, group& world, start_gate& gate,
            workload& load);

  const std::string& name() const { return name_; }
  const arm& what() const { return *arm_; }
  bool ready() const { return exchanger_ != nullptr; }
  /// Why it is not ready.
  const std::string& reason() const { return reason_; }

  /// Host time of `prepare`, the largest of all ranks; of a contender that is ready.
  std::int64_t prepare_ns() const { return prepare_ns_; }

  exchanger& transport() { return *exchanger_; }
  sampler& samples() { return *sampler_; }

 private:
  std::string name_;
  const arm* arm_;
  std::string reason_;
  std::int64_t prepare_ns_ = 0;
  std::unique_ptr<exchanger> exchanger_;
  std::unique_ptr<sampler> sampler_;
};

}  // namespace ithaca::bench
