#include "bench/start_gate.hpp"

#include <algorithm>

namespace ithaca::bench {
namespace {

constexpr std::size_t page_bytes = 4096;

bool is_simulated(const device& on) { return on.kind() == device_kind::sim; }

}  // namespace

start_gate::start_gate(group& world, group& on_host, device& on)
    : world_(world),
      on_host_(on_host),
      device_(on),
      pages_(on_host, is_simulated(on) ? on : memories_,
             (is_simulated(on) ? on : memories_).allocate(page_bytes)) {
  if (!is_simulated(on)) registered_ = on.register_host(pages_.at(0), page_bytes);
}

void start_gate::hold(stream& at) {
  const std::byte* const word = registered_ ? registered_->data() : pages_.at(0);
  enqueuing_.emplace(world_, "enqueuing behind the start gate");
  at.wait_value(reinterpret_cast<const std::uint64_t*>(word), ticket_ + 1, {"gate", -1, 0});
}

void start_gate::open() {
  ++ticket_;
  enqueuing_.reset();
  world_.barrier();
  if (on_host_.rank() == 0) {
    device_.store_signal(reinterpret_cast<std::uint64_t*>(pages_.at(0)), ticket_);
  }
}

}  // namespace ithaca::bench
