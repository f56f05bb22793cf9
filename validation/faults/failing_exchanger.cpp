#include "validation/faults/failing_exchanger.hpp"

#include <utility>

namespace ithaca::validation {
namespace {

bool is_gathered(std::string_view tag) { return tag == "o"; }

}  // namespace

void failing_exchanger::prepare(std::span<const tensor_spec> specs) {
  strike_.reached(fault_point::prepare_before, 0);
  inner_->prepare(specs);
}

void failing_exchanger::submit(std::string_view tag, const slice& part, const source_view& source,
                               stream& on, submit_order order) {
  const bool is_first = !std::exchange(open_, true);
  if (is_first && is_gathered(tag)) ++gathers_;
  if (is_first && !is_gathered(tag)) {
    ++scatters_;
    strike_.reached(fault_point::before_exchange, scatters_);
  }
  inner_->submit(tag, part, source, on, order);
  if (order == submit_order::last) open_ = false;
  if (is_gathered(tag)) {
    if (is_first) strike_.reached(fault_point::gather, gathers_);
    return;
  }
  if (is_first) strike_.reached(fault_point::within_exchange, scatters_);
  if (order == submit_order::last) strike_.reached(fault_point::after_last_submit, scatters_);
}

void failing_exchanger::release(std::string_view tag, stream& on) {
  if (!is_gathered(tag)) strike_.reached(fault_point::release, scatters_);
  inner_->release(tag, on);
}

}  // namespace ithaca::validation
