#include "backend/cuda/cuda_device.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/cuda_event.hpp"
#include "backend/cuda/cuda_stream.hpp"
#include "backend/cuda/current_device.hpp"
#include "backend/cuda/driver_api.hpp"
#include "backend/cuda/gpu_identity.hpp"
#include "backend/cuda/ipc_import.hpp"
#include "backend/cuda/ipc_memory.hpp"
#include "backend/cuda/open_cuda_device.hpp"
#include "backend/cuda/registered_memory.hpp"
#include "backend/cuda/vmm_memory.hpp"
#include "backend/errors.hpp"

namespace ithaca {
namespace {

bool has(int ordinal, CUdevice_attribute attribute) {
  const driver_api& driver = driver_api::get();
  CUdevice device = 0;
  check(driver.device_get(&device, ordinal), "cuDeviceGet");
  int value = 0;
  check(driver.device_get_attribute(&value, attribute, device), "cuDeviceGetAttribute");
  return value != 0;
}

int require_usable(int ordinal) {
  const int count = cuda_device_count();
  if (ordinal < 0 || ordinal >= count) {
    throw invalid_use("there is no GPU " + std::to_string(ordinal) + ": this process can see " +
                      std::to_string(count));
  }
  make_current_device(ordinal);
  return ordinal;
}

/// Processes count the GPUs that they see in different orders.
std::optional<int> find_ordinal(const std::string& identity) {
  for (int ordinal = 0; ordinal < cuda_device_count(); ++ordinal) {
    if (gpu_identity(ordinal) == identity) return ordinal;
  }
  return std::nullopt;
}

}  // namespace

cuda_device::cuda_device(int ordinal)
    : ordinal_(require_usable(ordinal)),
      identity_(gpu_identity(ordinal)),
      description_(gpu_name(ordinal)),
      transfers_(ordinal, stream_priority::high) {}

std::string cuda_device::why_not_shared(memory_sharing how) const {
  if (how == memory_sharing::handle) return "";
  if (has(ordinal_, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) &&
      has(ordinal_, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED)) {
    return "";
  }
  return identity_ + " (" + description_ + ") can't share memory through file descriptors";
}

shared_memory cuda_device::export_memory(const memory& allocated) {
  make_current();
  if (const auto* own = dynamic_cast<const ipc_memory*>(&allocated)) return own->share();
  if (const auto* own = dynamic_cast<const vmm_memory*>(&allocated)) return {own->descriptor()};
  throw std::invalid_argument("export_memory: not memory that this device allocated");
}

std::unique_ptr<memory> cuda_device::import_memory(shared_memory theirs, std::size_t bytes) {
  make_current();
  if (!theirs.handle.empty()) {
    return std::make_unique<ipc_import>(ordinal_, std::move(theirs), bytes);
  }
  return std::make_unique<vmm_memory>(ordinal_, bytes,
                                      vmm_allocation::import(ordinal_, theirs.descriptor, bytes));
}

std::unique_ptr<memory> cuda_device::register_host(void* address, std::size_t bytes) {
  return std::make_unique<registered_memory>(ordinal_, address, bytes);
}

std::unique_ptr<stream> cuda_device::create_stream(std::string name, stream_priority priority) {
  return std::make_unique<cuda_stream>(std::move(name), observers(), ordinal_,
                                       native_stream(ordinal_, priority));
}

std::unique_ptr<event> cuda_device::create_event(event_timing timing) {
  return std::make_unique<cuda_event>(ordinal_, timing);
}

void cuda_device::read(const std::byte* source, std::span<std::byte> to) {
  transfer(to.data(), source, to.size());
}

void cuda_device::write(std::span<const std::byte> from, std::byte* target) {
  transfer(target, from.data(), from.size());
}

bool cuda_device::reaches(const std::byte* address) const {
  make_current();
  cudaPointerAttributes attributes = {};
  check(cudaPointerGetAttributes(&attributes, address), "cudaPointerGetAttributes");
  return attributes.type == cudaMemoryTypeDevice && attributes.device == ordinal_;
}

std::size_t cuda_device::free_bytes() const {
  make_current();
  retirement_->sweep();
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

std::string cuda_device::why_no_peer_access(const std::string& peer_identity) const {
  try {
    return no_peer_access(peer_identity);
  } catch (const std::runtime_error& failure) {
    // A question that fails on one rank is a reason for all, not the end of one.
    return "whether " + identity_ + " can access " + peer_identity +
           " can't be found out: " + failure.what();
  }
}

std::string cuda_device::no_peer_access(const std::string& peer_identity) const {
  if (std::string reason = why_no_stream_memory_operations(); !reason.empty()) return reason;
  if (peer_identity == identity_) return "";
  for (const std::string& either : {identity_, peer_identity}) {
    if (is_mig(either)) return either + " is a MIG instance: those can't access each other";
  }
  const std::optional<int> peer = find_ordinal(peer_identity);
  if (!peer) {
    return peer_identity +
           " is not visible to this process: it is on another host, or hidden by "
           "CUDA_VISIBLE_DEVICES";
  }
  int can_access = 0;
  check(cudaDeviceCanAccessPeer(&can_access, ordinal_, *peer), "cudaDeviceCanAccessPeer");
  if (!can_access) {
    return "the system has no peer-to-peer path from " + identity_ + " to " + peer_identity;
  }
  return "";
}

std::string cuda_device::why_no_stream_memory_operations() const {
  if (has(ordinal_, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS)) return "";
  return identity_ + " (" + description_ +
         ") or its driver lacks 64-bit stream memory operations, which signal arrivals";
}

void cuda_device::make_current() const { make_current_device(ordinal_); }

std::unique_ptr<memory> cuda_device::do_allocate(std::size_t bytes, memory_sharing how) {
  make_current();
  // Also before memory of the other kind: it may need the room.
  retirement_->sweep();
  if (how == memory_sharing::handle) {
    return std::make_unique<ipc_memory>(ordinal_, bytes, retirement_);
  }
  if (std::string reason = why_not_shared(how); !reason.empty()) throw invalid_use(reason);
  return std::make_unique<vmm_memory>(ordinal_, bytes, vmm_allocation::create(ordinal_, bytes));
}

void cuda_device::transfer(void* target, const void* source, std::size_t bytes) {
  make_current();
  check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, transfers_.get()),
        "cudaMemcpyAsync");
  check(cudaStreamSynchronize(transfers_.get()), "cudaStreamSynchronize");
}

}  // namespace ithaca
