#include "backend/nccl/nccl_transport.hpp"

#include "backend/nccl/nccl_check.hpp"
#include "backend/nccl/nccl_memory.hpp"
#include "backend/nccl/nccl_window.hpp"

namespace ithaca {
namespace {

class window_binding final : public buffer_binding {
 public:
  window_binding(const std::shared_ptr<const nccl_communicator>& communicator, const memory& send,
                 const memory& receive)
      : send_(communicator, send.data(), send.size_bytes()),
        receive_(communicator, receive.data(), receive.size_bytes()) {}

 private:
  nccl_window send_;
  nccl_window receive_;
};

}  // namespace

nccl_transport::nccl_transport(std::shared_ptr<const nccl_communicator> communicator,
                               nccl_buffers buffers)
    : communicator_(std::move(communicator)), buffers_(buffers) {}

std::string nccl_transport::why_not(std::span<const std::size_t>,
                                    std::span<const std::size_t>) const {
  const nccl_library& nccl = communicator_->library();
  if (nccl.all_to_all) return "";
  return "NCCL " + nccl.version() + " has no ncclAlltoAll: it came with 2.28";
}

std::unique_ptr<memory> nccl_transport::allocate(device& on, std::size_t bytes) const {
  if (buffers_ == nccl_buffers::plain) return on.allocate(bytes);
  return std::make_unique<nccl_memory>(communicator_->shared_library(), bytes);
}

std::unique_ptr<buffer_binding> nccl_transport::bind(const memory& send, const memory& receive) {
  if (buffers_ == nccl_buffers::plain) return nullptr;
  return std::make_unique<window_binding>(communicator_, send, receive);
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
