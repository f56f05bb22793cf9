#include "bench/contender.hpp"

#include "backend/agreement.hpp"
#include "backend/errors.hpp"

namespace ithaca::bench {

contender::contender(std::string name, const arm& what, ulysses_site& site, group& world,
                     start_gate& gate, workload& load)
    : name_(std::move(name)), arm_(&what) {
  device& on = site.site().on;
  try {
    if (!what.runs_on(on.kind())) {
      throw not_eligible("it does not run on the " + std::string(to_string(on.kind())) + " device");
    }
    exchanger_ = what.make(site.site());
    const std::int64_t before_ns = on.host_now_ns();
    exchanger_->prepare(load.specs());
    prepare_ns_ = on.host_now_ns() - before_ns;
  } catch (const not_eligible& failure) {
    reason_ = failure.what();
  }
  // A group of its own may have decided otherwise than the others.
  try {
    require_eligible(world, reason_);
    sampler_ = std::make_unique<sampler>(world, site.ranks(), on, gate, *exchanger_, load);
    prepare_ns_ = world.maximum(prepare_ns_);
  } catch (const not_eligible& failure) {
    reason_ = failure.what();
    exchanger_.reset();
  }
}

}  // namespace ithaca::bench
