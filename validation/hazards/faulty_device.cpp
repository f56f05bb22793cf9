#include "validation/hazards/faulty_device.hpp"

#include "backend/errors.hpp"
#include "validation/hazards/faulty_stream.hpp"

namespace ithaca::validation {

std::string faulty_device::why_not_shared(memory_sharing how) const {
  if (defects_.no_descriptors && how == memory_sharing::descriptor) {
    return "the device has no descriptors";
  }
  return inner_.why_not_shared(how);
}

shared_memory faulty_device::export_memory(const memory& allocated) {
  return inner_.export_memory(own_memory::given(allocated));
}

std::unique_ptr<memory> faulty_device::import_memory(shared_memory theirs, std::size_t bytes) {
  if (defects_.no_import) throw invalid_use("the device can't map a peer's memory");
  if (defects_.breaks_at_import) throw exchange_broken("the device broke");
  return inner_.import_memory(std::move(theirs), bytes);
}

std::unique_ptr<memory> faulty_device::register_host(void* address, std::size_t bytes) {
  return inner_.register_host(address, bytes);
}

std::unique_ptr<stream> faulty_device::create_stream(std::string name, stream_priority priority) {
  return std::make_unique<faulty_stream>(name, observers(), inner_.create_stream(name, priority),
                                         defects_, own_);
}

void faulty_device::read(const std::byte* source, std::span<std::byte> to) {
  inner_.read(source, to);
}

void faulty_device::write(std::span<const std::byte> from, std::byte* target) {
  inner_.write(from, target);
}

std::string faulty_device::why_no_peer_access(const std::string& peer_identity) const {
  return inner_.why_no_peer_access(peer_identity);
}

std::unique_ptr<memory> faulty_device::do_allocate(std::size_t bytes, memory_sharing how) {
  if (defects_.no_memory || bytes > defects_.largest_allocation_bytes)
    throw invalid_use("the device is out of memory");
  return own_->keep(inner_.allocate(bytes, how));
}

}  // namespace ithaca::validation
