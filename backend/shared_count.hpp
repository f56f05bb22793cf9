#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "backend/unique_fd.hpp"

namespace ithaca {

/// A number that processes of one host count up and down, in a page of a memfd.
class shared_count {
 public:
  /// A new one, 0. Throws `exchange_broken` if the system has no descriptor or page left.
  shared_count();
  /// One that another process exported.
  explicit shared_count(unique_fd descriptor);

  /// A descriptor for another process.
  unique_fd duplicate() const;

  void add() { ++*at_; }
  void subtract() { --*at_; }
  std::uint32_t value() const { return *at_; }

 private:
  using word = std::atomic<std::uint32_t>;
  static_assert(word::is_always_lock_free, "it has to work between processes");

  struct unmap {
    void operator()(word* at) const noexcept;
  };

  unique_fd descriptor_;
  std::unique_ptr<word, unmap> at_;
};

}  // namespace ithaca
