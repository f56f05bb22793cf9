#include "bench/contender.hpp"

#include <utility>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"

namespace ithaca::bench {

contender::contender(entrant who, ulysses_site& site, group& world,
                     std::span<const tensor_spec> specs, const std::string& why_not,
                     const sampler_maker& make_sampler)
    : who_(std::move(who)), reason_(why_not) {
  if (!reason_.empty()) return;
  try {
    make_exchanger(site.site(), specs);
  } catch (const not_eligible& failure) {
    reason_ = failure.what();
  }
  // A group of its own may have decided otherwise than the others.
  try {
    require_eligible(world, reason_);
    sampler_ = make_sampler(*exchanger_);
    prepare_ns_ = world.maximum(prepare_ns_);
  } catch (const not_eligible& failure) {
    reason_ = failure.what();
    exchanger_.reset();
  }
}

void contender::make_exchanger(arm_site& site, std::span<const tensor_spec> specs) {
  device& on = site.on;
  if (!what().runs_on(on.kind())) {
    throw not_eligible("it does not run on the " + std::string(to_string(on.kind())) + " device");
  }
  exchanger_ = what().make(site);
  const std::int64_t before_ns = on.host_now_ns();
  exchanger_->prepare(specs);
  prepare_ns_ = on.host_now_ns() - before_ns;
}

}  // namespace ithaca::bench
