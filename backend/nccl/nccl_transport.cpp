#include "backend/nccl/nccl_transport.hpp"

#include <algorithm>

#include "backend/nccl/nccl_check.hpp"
#include "backend/nccl/nccl_memory.hpp"

namespace ithaca {
namespace {

bool all_equal(std::span<const std::size_t> a, std::span<const std::size_t> b) {
  const auto same = [&](std::size_t each) { return each == a[0]; };
  return std::ranges::all_of(a, same) && std::ranges::all_of(b, same);
}

}  // namespace

nccl_transport::nccl_transport(std::shared_ptr<const nccl_communicator> communicator,
                               nccl_buffers buffers)
    : communicator_(std::move(communicator)), buffers_(buffers) {}

std::string nccl_transport::why_not(std::span<const std::size_t> send_bytes,
                                    std::span<const std::size_t> receive_bytes) const {
  const nccl_library& nccl = communicator_->library();
  if (!nccl.all_to_all) return "NCCL " + nccl.version() + " has no ncclAlltoAll: it came with 2.28";
  if (!all_equal(send_bytes, receive_bytes)) {
    return "the shares are uneven, and ncclAlltoAll moves equal chunks only";
  }
  return "";
}

std::unique_ptr<memory> nccl_transport::allocate(device& on, std::size_t bytes) const {
  if (buffers_ == nccl_buffers::plain) return on.allocate(bytes);
  return std::make_unique<nccl_memory>(communicator_->shared_library(), bytes);
}

void nccl_transport::bind(const memory& send, const memory& receive) {
  if (buffers_ == nccl_buffers::plain) return;
  send_window_.emplace(communicator_, send.data(), send.size_bytes());
  receive_window_.emplace(communicator_, receive.data(), receive.size_bytes());
}

void nccl_transport::unbind() {
  send_window_.reset();
  receive_window_.reset();
}

kernel_call nccl_transport::all_to_all(const std::byte* send,
                                       std::span<const std::size_t> send_bytes, std::byte* receive,
                                       std::span<const std::size_t>) {
  const std::size_t chunk = send_bytes[0];
  const std::size_t all = chunk * send_bytes.size();
  kernel_call call;
  call.name = "ncclAlltoAll";
  call.reads = {{send, all, all, 1}};
  call.writes = {{receive, all, all, 1}};
  call.cuda = [send, receive, chunk, communicator = communicator_](void* stream) {
    const nccl_library& nccl = communicator->library();
    check(nccl,
          nccl.all_to_all(send, receive, chunk, ncclInt8, communicator->native(),
                          static_cast<cudaStream_t>(stream)),
          "ncclAlltoAll");
  };
  return call;
}

}  // namespace ithaca
