#include "backend/direct_setup.hpp"

#include <algorithm>
#include <vector>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "backend/peer_probe.hpp"
#include "kernels/push.hpp"

namespace ithaca {

direct_setup::direct_setup(group& among, device& on, direct_options options)
    : group_(among), device_(on), options_(options) {}

void direct_setup::prepare(std::span<const tensor_spec> specs, const std::function<void()>& drain) {
  const bool all_known = std::ranges::all_of(
      specs, [&](const tensor_spec& spec) { return target_of(spec) != nullptr; });
  if (!all_known) allocate_and_map(specs, drain);
}

void direct_setup::allocate_and_map(std::span<const tensor_spec> specs,
                                    const std::function<void()>& drain) {
  if (std::string reason = group_.why_not_one_host(); !reason.empty()) throw not_eligible(reason);
  std::string request;
  for (const tensor_spec& spec : specs) request += "[" + describe(spec) + "]";
  require_same(group_, "tensors to exchange", request);
  require_eligible(group_, why_not_here(specs));
  if (!probed_) probe_paths();
  make_room(specs, drain);

  std::vector<std::shared_ptr<target>> made;
  run_together(group_, [&] {
    if (!board_page_) {
      const auto words = signal_board::initial(group_.size(), options_.words);
      board_page_ = device_.allocate(std::as_bytes(std::span(words)).size(), options_.sharing);
      device_.write(std::as_bytes(std::span(words)), board_page_->data());
    }
    for (const tensor_spec& spec : specs) {
      if (!target_of(spec)) made.push_back(allocate(spec));
    }
  });
  if (!board_) board_.emplace(group_, device_, board_page_);
  for (const auto& each : made) {
    for (target_slot& slot : each->slots) slot.everyones.emplace(group_, device_, slot.mine);
    cache_.insert(each);
  }
}

std::string direct_setup::why_not_here(std::span<const tensor_spec> specs) {
  const std::vector<std::string> identities = group_.all_gather_text(device_.identity());
  if (std::string reason = why_not_combined(options_); !reason.empty()) return reason;
  if (std::string reason = device_.why_not_shared(options_.sharing); !reason.empty()) return reason;
  for (std::size_t peer = 0; peer < identities.size(); ++peer) {
    const std::string reason = device_.why_no_peer_access(identities[peer]);
    if (!reason.empty()) return "no access to rank " + std::to_string(peer) + ": " + reason;
  }
  if (options_.moves == mover::push_kernel && options_.push.stores == kernels::push_stores::bulk &&
      device_.kind() == device_kind::cuda) {
    if (std::string reason = kernels::why_no_bulk_push(); !reason.empty()) return reason;
  }
  return why_not_moved(options_, specs);
}

void direct_setup::probe_paths() {
  const probed_peers found = probe_peers(group_, device_, options_.sharing);
  for (const auto needed : {&probed_pair::mapping, &probed_pair::copy}) {
    if (std::string reason = found.why_not(needed); !reason.empty()) throw not_eligible(reason);
  }
  const std::string unwritten = found.why_not(&probed_pair::stream_write);
  if (options_.signals == signal_kind::stream_write && !unwritten.empty()) {
    options_.signals = signal_kind::staged_copy;
    signals_staged_because_ = "no stream write " + unwritten;
  }
  if (options_.signals == signal_kind::kernel && !unwritten.empty()) {
    throw not_eligible("signals by kernel do not do without stream writes: none " + unwritten);
  }
  if (options_.signals == signal_kind::staged_copy) {
    const std::string reason = found.why_not(&probed_pair::staged_copy);
    if (!reason.empty()) throw not_eligible("no signal " + reason);
  }
  probed_ = true;
}

void direct_setup::make_room(std::span<const tensor_spec> specs,
                             const std::function<void()>& drain) {
  std::vector<std::string> wanted;
  std::size_t new_slots = 0;
  for (const tensor_spec& spec : specs) {
    wanted.push_back(describe(spec));
    if (!target_of(spec)) new_slots += slots_of_a_tag(options_);
  }
  if (cache_.size() + new_slots <= target_cache::capacity) return;
  drain();
  cache_.make_room(new_slots, wanted);
  require_valid(group_, cache_.size() + new_slots <= target_cache::capacity
                            ? ""
                            : "targets that a graph has captured stay, and leave no room: capture "
                              "with an exchanger of its own");
}

std::shared_ptr<target> direct_setup::allocate(const tensor_spec& spec) {
  const std::size_t bytes = std::max<std::size_t>(1, spec.geometry.target_bytes(group_.rank()));
  auto made = std::make_shared<target>();
  made->key = describe(spec);
  for (std::size_t slot = 0; slot < slots_of_a_tag(options_); ++slot) {
    made->slots.push_back({.mine = device_.allocate(bytes, options_.sharing)});
  }
  if (options_.source == copy_source::packed) {
    made->packed = std::make_unique<packed_source>(device_, spec.geometry, group_.rank());
  }
  return made;
}

std::size_t direct_setup::memory_bytes() const {
  return cache_.memory_bytes() + (board_page_ ? board_page_->size_bytes() : 0);
}

}  // namespace ithaca
