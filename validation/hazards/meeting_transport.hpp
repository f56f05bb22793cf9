#pragma once

#include <memory>

#include "backend/packed_transport.hpp"
#include "backend/threads/thread_group.hpp"

namespace ithaca::validation {

/// An all-to-all between threads of one process: shows what the packed exchanger does around it,
/// with chunks of any size or of one only.
class meeting_transport final : public packed_transport {
 public:
  meeting_transport(std::shared_ptr<thread_meeting> meeting, int rank, bool equal_chunks);

  bool equal_chunks_only() const override { return equal_chunks_; }
  std::string why_not(std::span<const std::size_t> send_bytes,
                      std::span<const std::size_t> receive_bytes) const override;
  kernel_call all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes,
                         std::byte* receive, std::span<const std::size_t> receive_bytes) override;

 private:
  std::shared_ptr<thread_meeting> meeting_;
  int rank_;
  bool equal_chunks_;
};

}  // namespace ithaca::validation
