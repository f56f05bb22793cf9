#pragma once

#include "backend/device.hpp"

namespace ithaca {

/// A memfd mapping: one of its own, or a peer's.
class host_memory final : public memory {
 public:
  /// Throws `invalid_use` if the system has no room for it.
  host_memory(std::size_t bytes, memory_sharing how);
  /// Maps what a peer shared.
  host_memory(shared_memory theirs, std::size_t bytes);
  ~host_memory() override;

  shared_memory share() const;

 private:
  host_memory(unique_fd descriptor, std::size_t bytes, memory_sharing how);

  unique_fd descriptor_;
  memory_sharing how_;
};

/// Host memory that someone else owns, under its own address.
class host_view final : public memory {
 public:
  host_view(std::byte* data, std::size_t bytes) : memory(data, bytes) {}
};

}  // namespace ithaca
