#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "bench/entrant.hpp"
#include "bench/sampler.hpp"
#include "bench/ulysses_site.hpp"

namespace ithaca::bench {

/// An exchanger that was made and prepared.
struct prepared_exchanger {
  std::shared_ptr<exchanger> made;
  std::int64_t prepare_ns = 0;  ///< host time of `prepare`, on this rank
};

/// Those that entrants of one scenario share, by arm and tensors: entrants that differ in nothing
/// but their schedule need no targets of their own.
using shared_exchangers = std::map<std::string, prepared_exchanger>;
std::string exchanger_key(const entrant& who, std::span<const tensor_spec> specs);

/// An entrant made ready in one scenario, or the reason why it can't run there.
class contender {
 public:
  using sampler_maker = std::function<std::unique_ptr<sampler>(exchanger& made)>;

  /// Collective over the world. `why_not`: empty, or why it is not even tried, the same on every
  /// rank. `shared`: null, or where its exchanger is looked up, and kept if it is new.
  contender(entrant who, ulysses_site& site, group& world, std::span<const tensor_spec> specs,
            const std::string& why_not, const sampler_maker& make_sampler,
            shared_exchangers* shared = nullptr);

  const entrant& who() const { return who_; }
  const arm& what() const { return *who_.what; }
  bool ready() const { return exchanger_.made != nullptr; }
  /// Why it is not ready.
  const std::string& reason() const { return reason_; }

  /// Host time of `prepare`, the largest of all ranks; of a contender that is ready.
  std::int64_t prepare_ns() const { return exchanger_.prepare_ns; }

  exchanger& transport() { return *exchanger_.made; }
  std::shared_ptr<exchanger> shared_transport() const { return exchanger_.made; }
  sampler& samples() { return *sampler_; }
  const sampler& samples() const { return *sampler_; }

 private:
  prepared_exchanger make_exchanger(arm_site& site, std::span<const tensor_spec> specs) const;

  entrant who_;
  std::string reason_;
  prepared_exchanger exchanger_;
  std::unique_ptr<sampler> sampler_;
};

}  // namespace ithaca::bench
