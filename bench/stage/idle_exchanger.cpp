#include "bench/stage/idle_exchanger.hpp"

#include <algorithm>

namespace ithaca::bench {

void idle_exchanger::prepare(std::span<const tensor_spec> specs) {
  for (const tensor_spec& spec : specs) {
    const std::size_t number = ledger_.declare(spec.tag);
    ledger_.require_free(number, "prepare");
    if (number >= targets_.size()) targets_.resize(number + 1);
    // Of no rank is the target larger than of the first.
    targets_[number] = device_.allocate(std::max<std::size_t>(1, spec.geometry.target_bytes(0)));
  }
}

target_view idle_exchanger::view(std::string_view tag) const {
  const memory& target = *targets_[ledger_.number(tag)];
  return {target.data(), target.size_bytes()};
}

target_view idle_exchanger::acquire(std::string_view tag, stream&) {
  ledger_.require_free(ledger_.number(tag), "acquire");
  return view(tag);
}

void idle_exchanger::submit(std::string_view tag, const slice&, const source_view&, stream&,
                            submit_order order) {
  ledger_.submit(ledger_.number(tag), order);
}

target_view idle_exchanger::wait(std::string_view tag, stream&) {
  ledger_.wait(ledger_.number(tag));
  return view(tag);
}

void idle_exchanger::release(std::string_view tag, stream&) {
  ledger_.release(ledger_.number(tag));
}

std::size_t idle_exchanger::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& each : targets_) bytes += each->size_bytes();
  return bytes;
}

}  // namespace ithaca::bench
