#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "bench/entrant.hpp"
#include "bench/sampler.hpp"
#include "bench/ulysses_site.hpp"

namespace ithaca::bench {

/// An entrant made ready in one scenario, or the reason why it can't run there.
class contender {
 public:
  using sampler_maker = std::function<std::unique_ptr<sampler>(exchanger& made)>;

  /// Collective over the world. `why_not`: empty, or why it is not even tried, the same on every
  /// rank.
  contender(entrant who, ulysses_site& site, group& world, std::span<const tensor_spec> specs,
            const std::string& why_not, const sampler_maker& make_sampler);

  const entrant& who() const { return who_; }
  const std::string& name() const { return who_.name; }
  const arm& what() const { return *who_.what; }
  bool ready() const { return exchanger_ != nullptr; }
  /// Why it is not ready.
  const std::string& reason() const { return reason_; }

  /// Host time of `prepare`, the largest of all ranks; of a contender that is ready.
  std::int64_t prepare_ns() const { return prepare_ns_; }

  exchanger& transport() { return *exchanger_; }
  sampler& samples() { return *sampler_; }

 private:
  void make_exchanger(arm_site& site, std::span<const tensor_spec> specs);

  entrant who_;
  std::string reason_;
  std::int64_t prepare_ns_ = 0;
  std::unique_ptr<exchanger> exchanger_;
  std::unique_ptr<sampler> sampler_;
};

}  // namespace ithaca::bench
