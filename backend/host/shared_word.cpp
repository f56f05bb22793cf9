#include "backend/host/shared_word.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <climits>

namespace ithaca {
namespace {

static_assert(std::endian::native == std::endian::little, "a futex watches the low half of a word");

std::atomic_ref<std::uint64_t> as_atomic(const std::uint64_t* word) {
  return std::atomic_ref<std::uint64_t>(*const_cast<std::uint64_t*>(word));
}

long futex(const std::uint64_t* word, int operation, std::uint32_t value, const timespec* timeout) {
  return syscall(SYS_futex, word, operation, value, timeout, nullptr, 0);
}

}  // namespace

void store_and_wake(std::uint64_t* word, std::uint64_t value) {
  as_atomic(word).store(value, std::memory_order_release);
  futex(word, FUTEX_WAKE, INT_MAX, nullptr);
}

std::uint64_t load(const std::uint64_t* word) {
  return as_atomic(word).load(std::memory_order_acquire);
}

bool sleep_until_reached(const std::uint64_t* word, std::uint64_t awaited,
                         std::chrono::milliseconds at_most) {
  const std::uint64_t seen = load(word);
  if (has_reached(seen, awaited)) return true;
  const timespec timeout{at_most.count() / 1000, (at_most.count() % 1000) * 1'000'000};
  // The kernel compares the low half again, so a store in between is not slept through.
  futex(word, FUTEX_WAIT, static_cast<std::uint32_t>(seen), &timeout);
  return has_reached(load(word), awaited);
}

}  // namespace ithaca
