#include "validation/hazards/faulty_device.hpp"

#include "backend/errors.hpp"
#include "validation/hazards/faulty_stream.hpp"

namespace ithaca::validation {

std::string faulty_device::why_not_shared(memory_sharing how) const {
  if (defects_.no_descriptors && how == memory_sharing::descriptor) {
    return "the device has no descriptors";
  }
  return wrapped_device::why_not_shared(how);
}

shared_memory faulty_device::export_memory(const memory& allocated) {
  return inner().export_memory(own_memory::given(allocated));
}

std::unique_ptr<memory> faulty_device::import_memory(shared_memory theirs, std::size_t bytes) {
  if (defects_.no_import) throw invalid_use("the device can't map a peer's memory");
  if (defects_.breaks_at_import) throw exchange_broken("the device broke");
  return wrapped_device::import_memory(std::move(theirs), bytes);
}

std::unique_ptr<stream> faulty_device::create_stream(std::string name, stream_priority priority) {
  return std::make_unique<faulty_stream>(name, observers(), inner().create_stream(name, priority),
                                         defects_, own_);
}

std::unique_ptr<memory> faulty_device::do_allocate(std::size_t bytes, memory_sharing how) {
  if (defects_.no_memory || bytes > defects_.largest_allocation_bytes)
    throw invalid_use("the device is out of memory");
  return own_->keep(inner().allocate(bytes, how));
}

}  // namespace ithaca::validation
