#pragma once

#include <list>

#include "backend/cuda/ipc_allocation.hpp"

namespace ithaca {

/// Where allocations go whose owner is done while peers still have them open, so that a rank can
/// let go without meeting the others. They are freed as soon as their last peer has closed them,
/// which is looked at whenever one comes; what a dead peer never closes lasts as long as the
/// process.
class ipc_retirement {
 public:
  void take(ipc_allocation retired) {
    waiting_.push_back(std::move(retired));
    sweep();
  }

  /// Frees what nobody has open any more.
  void sweep() {
    waiting_.remove_if([](const ipc_allocation& each) { return each.openers().value() == 0; });
  }

 private:
  std::list<ipc_allocation> waiting_;
};

}  // namespace ithaca
