#pragma once

#include <list>

namespace ithaca {

/// Where allocations go whose owner is done while peers may still have them open, so that a rank
/// can let go without meeting the others. What nobody has open any more is freed by the next
/// `sweep`, and at the end of this; what a dead peer never closes lasts as long as the process.
///
/// Freeing waits for the GPU (cudaFree), so nothing is freed when an owner is done, which may be
/// amid other work: only when memory is allocated or asked for, and at the device's end.
///
/// `Allocation` frees itself, unless its `openers()` have a `value()` other than 0.
template <class Allocation>
class ipc_retirement {
 public:
  /// Takes all of `retired`, and leaves it empty. Allocates nothing: for destructors.
  void take(std::list<Allocation>& retired) noexcept { waiting_.splice(waiting_.end(), retired); }

  /// Frees what nobody has open any more.
  void sweep() {
    waiting_.remove_if([](const Allocation& each) { return each.openers().value() == 0; });
  }

 private:
  std::list<Allocation> waiting_;
};

}  // namespace ithaca
