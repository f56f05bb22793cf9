#include "backend/nccl/nccl_transport.hpp"

#include <algorithm>

#include "backend/nccl/nccl_check.hpp"

namespace ithaca {
namespace {

bool all_equal(std::span<const std::size_t> a, std::span<const std::size_t> b) {
  const auto same = [&](std::size_t each) { return each == a[0]; };
  return std::ranges::all_of(a, same) && std::ranges::all_of(b, same);
}

}  // namespace

nccl_transport::nccl_transport(std::shared_ptr<const nccl_communicator> communicator)
    : communicator_(std::move(communicator)) {}

std::string nccl_transport::why_not(std::span<const std::size_t> send_bytes,
                                    std::span<const std::size_t> receive_bytes) const {
  const nccl_library& nccl = communicator_->library();
  if (!nccl.all_to_all) return "NCCL " + nccl.version() + " has no ncclAlltoAll: it came with 2.28";
  if (!all_equal(send_bytes, receive_bytes)) {
    return "the shares are uneven, and ncclAlltoAll moves equal chunks only";
  }
  return "";
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
