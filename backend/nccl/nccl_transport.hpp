#pragma once

#include <memory>

#include "backend/nccl/nccl_communicator.hpp"
#include "backend/packed_transport.hpp"

namespace ithaca {

/// One `ncclAlltoAll` (NCCL 2.28 and later): equal chunks only.
class nccl_transport final : public packed_transport {
 public:
  explicit nccl_transport(std::shared_ptr<const nccl_communicator> communicator);

  std::string why_not(std::span<const std::size_t> send_bytes,
                      std::span<const std::size_t> receive_bytes) const override;
  kernel_call all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes,
                         std::byte* receive, std::span<const std::size_t> receive_bytes) override;

 private:
  std::shared_ptr<const nccl_communicator> communicator_;
};

}  // namespace ithaca
