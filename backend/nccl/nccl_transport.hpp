#pragma once

#include <memory>

#include "backend/nccl/nccl_communicator.hpp"
#include "backend/nccl/nccl_options.hpp"
#include "backend/packed_transport.hpp"

namespace ithaca {

/// One `ncclAlltoAll` (NCCL 2.28 and later), which moves equal chunks only.
class nccl_transport final : public packed_transport {
 public:
  nccl_transport(std::shared_ptr<const nccl_communicator> communicator, nccl_buffers buffers);

  bool equal_chunks_only() const override { return true; }
  std::string why_not(std::span<const std::size_t> send_bytes,
                      std::span<const std::size_t> receive_bytes) const override;
  std::unique_ptr<memory> allocate(device& on, std::size_t bytes) const override;
  std::unique_ptr<buffer_binding> bind(const memory& send, const memory& receive) override;
  kernel_call all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes,
                         std::byte* receive, std::span<const std::size_t> receive_bytes) override;

 private:
  std::shared_ptr<const nccl_communicator> communicator_;
  nccl_buffers buffers_;
};

}  // namespace ithaca
