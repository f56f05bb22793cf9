#include "kernels/add_mismatches.hpp"

#include <atomic>

namespace ithaca::kernels {

void add_mismatches(check_result& result, std::uint64_t bytes, std::uint64_t first) {
  std::atomic_ref(result.mismatched_bytes).fetch_add(bytes, std::memory_order_relaxed);
  std::atomic_ref smallest(result.first_mismatch);
  std::uint64_t seen = smallest.load(std::memory_order_relaxed);
  while (first < seen && !smallest.compare_exchange_weak(seen, first, std::memory_order_relaxed)) {
  }
}

}  // namespace ithaca::kernels
