#include "bench/start_gate.hpp"

#include <algorithm>

#include "backend/host/shared_word.hpp"

namespace ithaca::bench {
namespace {

constexpr std::size_t page_bytes = 4096;

}  // namespace

start_gate::start_gate(group& world, group& on_host, device& on)
    : world_(world),
      on_host_(on_host),
      pages_(on_host, memories_, memories_.allocate(page_bytes)),
      registered_(on.register_host(pages_.at(0), page_bytes)) {}

void start_gate::hold(stream& at) {
  at.wait_value(reinterpret_cast<const std::uint64_t*>(registered_->data()), ticket_ + 1,
                {"gate", -1, 0});
}

void start_gate::open() {
  ++ticket_;
  world_.barrier();
  if (on_host_.rank() == 0) {
    store_and_wake(reinterpret_cast<std::uint64_t*>(pages_.at(0)), ticket_);
  }
}

}  // namespace ithaca::bench
