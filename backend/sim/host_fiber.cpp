#include "backend/sim/host_fiber.hpp"

#include <cxxabi.h>

#include <boost/context/protected_fixedsize_stack.hpp>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace ithaca::sim {
namespace {

/// What the C++ runtime knows of the exceptions of a thread. Each stack has its own: one may be
/// unwinding while others catch.
struct exception_state {
  void* caught;
  unsigned int uncaught;

  static exception_state& of_thread() {
    return *reinterpret_cast<exception_state*>(abi::__cxa_get_globals());
  }
};

/// Tells AddressSanitizer that the next stack begins; `left` keeps what it knew of this one, null
/// when this one ends.
void announce([[maybe_unused]] void** left, [[maybe_unused]] const void* bottom,
              [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(left, bottom, bytes);
#endif
}

void arrived([[maybe_unused]] void* here, [[maybe_unused]] const void** bottom,
             [[maybe_unused]] std::size_t* bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(here, bottom, bytes);
#endif
}

}  // namespace

host_fiber::host_fiber(std::function<void()> body) : body_(std::move(body)) {
  boost::context::protected_fixedsize_stack stacks(stack_bytes);
  const boost::context::stack_context stack = stacks.allocate();
  inside_ = {static_cast<const std::byte*>(stack.sp) - stack.size, stack.size};
  inner_ = boost::context::fiber(std::allocator_arg,
                                 boost::context::preallocated(stack.sp, stack.size, stack), stacks,
                                 [this](boost::context::fiber&& outer) {
                                   arrived(nullptr, &outside_.bottom, &outside_.bytes);
                                   outer_ = std::move(outer);
                                   body_();
                                   ended_ = true;
                                   announce(nullptr, outside_.bottom, outside_.bytes);
                                   return std::move(outer_);
                                 });
}

void host_fiber::resume() {
  exception_state& exceptions = exception_state::of_thread();
  const exception_state mine = exceptions;
  void* left = nullptr;
  announce(&left, inside_.bottom, inside_.bytes);
  inner_ = std::move(inner_).resume();
  arrived(left, nullptr, nullptr);
  exceptions = mine;
}

void host_fiber::yield() {
  exception_state& exceptions = exception_state::of_thread();
  const exception_state mine = exceptions;
  void* left = nullptr;
  announce(&left, outside_.bottom, outside_.bytes);
  outer_ = std::move(outer_).resume();
  arrived(left, &outside_.bottom, &outside_.bytes);
  exceptions = mine;
}

}  // namespace ithaca::sim
