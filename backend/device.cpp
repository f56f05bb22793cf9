#include "backend/device.hpp"

#include "backend/host_wait.hpp"

#include "backend/host/shared_word.hpp"

namespace ithaca {
namespace {

constexpr std::chrono::microseconds poll_interval{50};

}  // namespace

std::string_view to_string(device_kind kind) {
  switch (kind) {
    case device_kind::cuda:
      return "cuda";
    case device_kind::host:
      return "host";
    case device_kind::sim:
      return "sim";
  }
  return "unknown";
}

bool device::wait_until_reached(const std::uint64_t* word, std::uint64_t value,
                                std::chrono::steady_clock::time_point deadline, watch* looks_at) {
  return wait_until(deadline, looks_at, poll_interval, [&] {
    std::uint64_t seen = 0;
    read(reinterpret_cast<const std::byte*>(word), std::as_writable_bytes(std::span(&seen, 1)));
    return static_cast<std::int64_t>(seen - value) >= 0;
  });
}

void device::store_signal(std::uint64_t* word, std::uint64_t value) { store_and_wake(word, value); }

std::int64_t device::host_now_ns() const {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::unique_ptr<memory> device::allocate(std::size_t bytes, memory_sharing how) {
  ++allocation_count_;
  return do_allocate(bytes, how);
}

}  // namespace ithaca
