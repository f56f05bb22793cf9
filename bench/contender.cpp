#include "bench/contender.hpp"

#include <utility>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"

namespace ithaca::bench {

std::string exchanger_key(const entrant& who, std::span<const tensor_spec> specs) {
  std::string key = who.name;
  for (const tensor_spec& spec : specs) key += " [" + describe(spec) + "]";
  return key;
}

contender::contender(entrant who, ulysses_site& site, group& world,
                     std::span<const tensor_spec> specs, const std::string& why_not,
                     const sampler_maker& make_sampler, shared_exchangers* shared)
    : who_(std::move(who)), reason_(why_not) {
  if (!reason_.empty()) return;
  shared_exchangers own;
  prepared_exchanger& place = (shared ? *shared : own)[exchanger_key(who_, specs)];
  try {
    if (!place.made) place = make_exchanger(site.site(), specs);
    exchanger_ = place;
  } catch (const not_eligible& failure) {
    reason_ = failure.what();
  }
  // A group of its own may have decided otherwise than the others.
  try {
    require_eligible(world, reason_);
    sampler_ = make_sampler(*exchanger_.made);
    exchanger_.prepare_ns = world.maximum(exchanger_.prepare_ns);
  } catch (const not_eligible& failure) {
    reason_ = failure.what();
    exchanger_ = {};
  }
}

prepared_exchanger contender::make_exchanger(arm_site& site,
                                             std::span<const tensor_spec> specs) const {
  device& on = site.on;
  if (!what().runs_on(on.kind())) {
    throw not_eligible("it does not run on the " + std::string(to_string(on.kind())) + " device");
  }
  prepared_exchanger ready{what().make(site)};
  const std::int64_t before_ns = on.host_now_ns();
  ready.made->prepare(specs);
  ready.prepare_ns = on.host_now_ns() - before_ns;
  return ready;
}

}  // namespace ithaca::bench
