#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>

namespace ithaca::sim {

/// A function on a stack of its own, which the scheduler resumes and which yields to it. The only
/// place that knows how stacks are switched, under AddressSanitizer too.
class host_fiber {
 public:
  static constexpr std::size_t stack_bytes = std::size_t{1} << 20;

  /// `body` must not throw. It has to end before the fiber goes.
  explicit host_fiber(std::function<void()> body);

  /// Runs the body until it yields or ends.
  void resume();
  /// Called by the body.
  void yield();
  bool ended() const { return ended_; }

 private:
  /// A stack, as AddressSanitizer is told of it.
  struct stack_bounds {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
  };

  std::function<void()> body_;
  bool ended_ = false;
  stack_bounds inside_, outside_;
  boost::context::fiber inner_, outer_;
};

}  // namespace ithaca::sim
