#include "backend/host/host_device.hpp"

#include <cstring>
#include <fstream>
#include <string>

#include "backend/host/host_event.hpp"
#include "backend/host/host_identity.hpp"
#include "backend/host/host_memory.hpp"
#include "backend/host/host_stream.hpp"
#include "backend/host/shared_word.hpp"
#include "backend/host_wait.hpp"

namespace ithaca {

std::string host_device::identity() const { return host_identity(); }

std::string host_device::description() const { return "host memory and threads"; }

shared_memory host_device::export_memory(const memory& allocated) {
  return dynamic_cast<const host_memory&>(allocated).share();
}

std::unique_ptr<memory> host_device::import_memory(shared_memory theirs, std::size_t bytes) {
  return std::make_unique<host_memory>(std::move(theirs), bytes);
}

std::unique_ptr<memory> host_device::register_host(void* address, std::size_t bytes) {
  return std::make_unique<host_view>(static_cast<std::byte*>(address), bytes);
}

std::unique_ptr<stream> host_device::create_stream(std::string name, stream_priority) {
  return std::make_unique<host_stream>(std::move(name), observers());
}

std::unique_ptr<event> host_device::create_event(event_timing) {
  return std::make_unique<host_event>();
}

void host_device::read(const std::byte* source, std::span<std::byte> to) {
  // A single word may be a signal that a peer writes at this moment.
  if (to.size() == sizeof(std::uint64_t)) {
    const std::uint64_t value = load(reinterpret_cast<const std::uint64_t*>(source));
    std::memcpy(to.data(), &value, sizeof value);
    return;
  }
  std::memcpy(to.data(), source, to.size());
}

void host_device::write(std::span<const std::byte> from, std::byte* target) {
  std::memcpy(target, from.data(), from.size());
}

bool host_device::wait_until_reached(const std::uint64_t* word, std::uint64_t value,
                                     std::chrono::steady_clock::time_point deadline,
                                     watch* looks_at) {
  return wait_until(deadline, looks_at, std::chrono::microseconds(0),
                    [&] { return sleep_until_reached(word, value, look_interval); });
}

std::size_t host_device::free_bytes() const {
  std::ifstream info("/proc/meminfo");
  std::string name, unit;
  std::size_t kib = 0;
  while (info >> name >> kib) {
    std::getline(info, unit);
    if (name == "MemAvailable:") return kib * 1024;
  }
  return 0;
}

std::string host_device::why_no_peer_access(const std::string& peer_identity) const {
  return peer_identity == identity() ? "" : "the ranks are on different hosts";
}

std::unique_ptr<memory> host_device::do_allocate(std::size_t bytes, memory_sharing how) {
  return std::make_unique<host_memory>(bytes, how);
}

}  // namespace ithaca
