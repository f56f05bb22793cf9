#include "backend/direct_exchanger.hpp"

#include <algorithm>
#include <stdexcept>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "kernels/move_regions.hpp"

namespace ithaca {
namespace {

/// Slices of one tag whose plans are kept; schedules use a handful.
constexpr std::size_t max_plans = 64;

}  // namespace

direct_exchanger::direct_exchanger(group& among, device& on, direct_options options)
    : group_(among),
      device_(on),
      options_(options),
      copy_stream_(on.create_stream("copy", stream_priority::high)),
      own_stream_(on.create_stream("own chunk", stream_priority::high)),
      source_ready_(on.create_event(event_timing::off)),
      release_seen_(signal_board::max_tags,
                    std::vector<std::uint64_t>(static_cast<std::size_t>(among.size()))) {}

direct_exchanger::~direct_exchanger() {
  try {
    synchronize(std::chrono::steady_clock::now() + std::chrono::seconds(1));
  } catch (...) {
    // The stream's error has been, or will be, reported by whoever waited on it.
  }
}

// ---- prepare ------------------------------------------------------------------------------------

void direct_exchanger::prepare(std::span<const tensor_spec> specs) {
  require_cacheable(specs);
  const bool all_known = std::ranges::all_of(
      specs, [&](const tensor_spec& spec) { return cache_.find(describe(spec)) != nullptr; });
  if (!all_known) allocate_and_map(specs);
  for (const tensor_spec& spec : specs) make_current(spec);
}

void direct_exchanger::allocate_and_map(std::span<const tensor_spec> specs) {
  std::vector<std::string> keys;
  std::string request;
  for (const tensor_spec& spec : specs) {
    keys.push_back(describe(spec));
    request += "[" + keys.back() + "]";
  }
  require_same(group_, "tensors to exchange", request);
  require_eligible(group_, why_not_here(specs));

  std::erase_if(keys, [&](const std::string& key) { return cache_.find(key) != nullptr; });
  if (cache_.size() + keys.size() > target_cache::capacity) {
    // The copy stream waits for this rank's releases, and a release follows the arrival of what
    // it releases: once drained, nobody writes the targets that go.
    if (!synchronize(group_.deadline())) throw exchange_broken("prepare: " + diagnose());
    std::vector<std::string> wanted;
    for (const tensor_spec& spec : specs) wanted.push_back(describe(spec));
    cache_.make_room(keys.size(), wanted);
    group_.barrier();
  }

  std::vector<std::shared_ptr<target>> made;
  std::string reason;
  try {
    if (!board_page_) board_page_ = device_.allocate(signal_board::size_bytes(group_.size()));
    for (const tensor_spec& spec : specs) {
      if (cache_.find(describe(spec))) continue;
      const std::size_t bytes = std::max<std::size_t>(1, spec.geometry.target_bytes(group_.rank()));
      made.push_back(
          std::make_shared<target>(target{describe(spec), device_.allocate(bytes), std::nullopt}));
    }
  } catch (const invalid_use& failure) {
    reason = failure.what();
  }
  require_eligible(group_, reason);
  if (!board_) open_board();
  for (const auto& each : made) {
    each->everyones.emplace(group_, device_, each->mine);
    cache_.insert(each);
  }
}

void direct_exchanger::open_board() {
  const std::vector<std::byte> zeros(board_page_->size_bytes());
  device_.write(zeros, board_page_->data());
  board_.emplace(group_, device_, board_page_);
}

std::string direct_exchanger::why_not_here(std::span<const tensor_spec> specs) {
  const std::vector<std::string> identities = group_.all_gather_text(device_.identity());
  for (std::size_t peer = 0; peer < identities.size(); ++peer) {
    const std::string reason = device_.why_no_peer_access(identities[peer]);
    if (!reason.empty()) return "no access to rank " + std::to_string(peer) + ": " + reason;
  }
  for (const tensor_spec& spec : specs) {
    const tensor_geometry& tensor = spec.geometry;
    const auto copies = plan_exchange(tensor, group_.rank(), tensor.whole_source(group_.rank()),
                                      tensor.contiguous_source(group_.rank()));
    if (options_.moves == mover::push_kernel && copies.size() > kernels::max_copy_regions) {
      return "tag " + spec.tag + " takes " + std::to_string(copies.size()) +
             " pitched pieces (one a peer and batch), and a push kernel at most " +
             std::to_string(kernels::max_copy_regions);
    }
  }
  return "";
}

void direct_exchanger::make_current(const tensor_spec& spec) {
  const std::size_t number = ledger_.declare(spec.tag);
  if (number >= signal_board::max_tags) {
    throw invalid_use("an exchanger can have at most " + std::to_string(signal_board::max_tags) +
                      " tags");
  }
  ledger_.require_free(number, "prepare");
  if (number >= tags_.size()) tags_.resize(number + 1);
  tag_state& tag = tags_[number];
  if (!tag.spec || describe(*tag.spec) != describe(spec)) tag.plans.clear();
  tag.spec = spec;
  tag.current = cache_.find(describe(spec));
}

// ---- the exchange -------------------------------------------------------------------------------

target_view direct_exchanger::acquire(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  ledger_.require_free(number, "acquire");
  const tag_state& mine = tags_[number];
  if (mine.released) on.wait(*mine.released);
  return {mine.current->mine->data(), mine.spec->geometry.target_bytes(group_.rank())};
}

void direct_exchanger::submit(std::string_view tag, const slice& part, const source_view& source,
                              stream& on, submit_order order) {
  const std::size_t number = ledger_.number(tag);
  tag_state& mine = tags_[number];
  const routed_plan& routed = plan(mine, part, source.strides);
  std::vector<std::size_t> tags = ledger_.open_tags();
  const std::uint64_t epoch = ledger_.submit(number, order);
  if (std::ranges::find(tags, number) == tags.end()) tags.push_back(number);

  // The first peer's release is awaited before the source: it mostly came long ago, and then costs
  // nothing while the source is still being made.
  if (!routed.to_peers.empty()) {
    const int first = routed.to_peers.front().peer;
    await_peer_release(mine.free_when, first, {tag, first, epoch});
  }
  on.record(*source_ready_);
  copy_stream_->wait(*source_ready_);
  if (options_.moves == mover::push_kernel)
    push(mine, routed, source, epoch);
  else
    copy(mine, routed, source, epoch);
  if (order == submit_order::last) publish(epoch, number, std::move(tags));
}

void direct_exchanger::copy(const tag_state& tag, const routed_plan& routed,
                            const source_view& source, std::uint64_t epoch) {
  for (const pitched_copy& each : routed.to_peers) {
    const operation_label label{tag.spec->tag, each.peer, epoch};
    await_peer_release(tag.free_when, each.peer, label);
    copy_stream_->copy({source.data + each.source_offset, each.source_pitch,
                        tag.current->everyones->at(each.peer) + each.target_offset,
                        each.target_pitch, each.width, each.height, true},
                       label);
  }
  if (tag.spec->own == own_chunk::produced || routed.own.empty()) return;
  own_stream_->wait(*source_ready_);
  if (tag.released) own_stream_->wait(*tag.released);
  for (const pitched_copy& each : routed.own) {
    own_stream_->copy({source.data + each.source_offset, each.source_pitch,
                       tag.current->mine->data() + each.target_offset, each.target_pitch,
                       each.width, each.height, false},
                      {tag.spec->tag, group_.rank(), epoch});
  }
  own_copy_open_ = true;
}

void direct_exchanger::push(const tag_state& tag, const routed_plan& routed,
                            const source_view& source, std::uint64_t epoch) {
  const operation_label label{tag.spec->tag, -1, epoch};
  std::vector<kernels::copy_region> regions;
  const auto add = [&](const pitched_copy& each, std::byte* target) {
    regions.push_back({source.data + each.source_offset, each.source_pitch,
                       target + each.target_offset, each.target_pitch, each.width, each.height});
  };
  for (const pitched_copy& each : routed.to_peers) {
    await_peer_release(tag.free_when, each.peer, {tag.spec->tag, each.peer, epoch});
    add(each, tag.current->everyones->at(each.peer));
  }
  // This rank's own release is behind the copy stream already.
  if (tag.spec->own == own_chunk::copied) {
    for (const pitched_copy& each : routed.own) add(each, tag.current->mine->data());
  }
  if (regions.empty()) return;
  copy_stream_->launch(kernels::push(std::move(regions), options_.push_ctas), label);
}

void direct_exchanger::await_peer_release(const release_signal& signal, int peer,
                                          const operation_label& label) {
  if (options_.reuse == target_reuse::external || signal.epoch == 0) return;
  std::uint64_t& seen = release_seen_[signal.completing_tag][static_cast<std::size_t>(peer)];
  if (seen >= signal.epoch) return;
  copy_stream_->wait_value(board_->released(signal.completing_tag, peer), signal.epoch, label);
  seen = signal.epoch;
}

void direct_exchanger::publish(std::uint64_t epoch, std::size_t completing_tag,
                               std::vector<std::size_t> tags) {
  for (const int peer : peers_in_order()) {
    copy_stream_->write_value(board_->peer_arrival(peer), epoch,
                              {ledger_.name(completing_tag), peer, epoch});
  }
  const auto recorded = [&](stream& at) {
    std::unique_ptr<event> mark;
    if (spare_events_.empty()) {
      mark = device_.create_event(event_timing::off);
    } else {
      mark = std::move(spare_events_.back());
      spare_events_.pop_back();
    }
    at.record(*mark);
    return mark;
  };
  completion done;
  done.completing_tag = completing_tag;
  done.sent = recorded(*copy_stream_);
  if (own_copy_open_) done.own_copied = recorded(*own_stream_);
  own_copy_open_ = false;
  completions_.emplace(epoch, std::move(done));
  for (const std::size_t each : tags) tags_[each].free_when = {completing_tag, epoch};
}

target_view direct_exchanger::wait(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  const std::uint64_t epoch = ledger_.wait(number);
  completion& done = completions_.at(epoch);
  if (std::ranges::find(done.ordered, &on) == done.ordered.end()) {
    // What is there first is waited for first: the own chunk outruns the links.
    if (done.own_copied) on.wait(*done.own_copied);
    on.wait(*done.sent);
    for (const int peer : peers_in_order()) {
      on.wait_value(board_->arrival(peer), epoch, {tag, peer, epoch});
    }
    done.ordered.push_back(&on);
  }
  const tag_state& mine = tags_[number];
  return {mine.current->mine->data(), mine.spec->geometry.target_bytes(group_.rank())};
}

void direct_exchanger::release(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  const std::uint64_t epoch = ledger_.release(number);
  tag_state& mine = tags_[number];
  if (!mine.released) mine.released = device_.create_event(event_timing::off);
  on.record(*mine.released);
  copy_stream_->wait(*mine.released);
  if (!ledger_.all_released(epoch)) return;

  completion& done = completions_.at(epoch);
  announce_release(epoch, done.completing_tag);
  spare_events_.push_back(std::move(done.sent));
  if (done.own_copied) spare_events_.push_back(std::move(done.own_copied));
  completions_.erase(epoch);
}

void direct_exchanger::announce_release(std::uint64_t epoch, std::size_t completing_tag) {
  if (options_.reuse == target_reuse::external) return;
  for (const int peer : peers_in_order()) {
    copy_stream_->write_value(board_->peer_released(completing_tag, peer), epoch,
                              {ledger_.name(completing_tag), peer, epoch});
  }
}

// ---- helpers ------------------------------------------------------------------------------------

std::vector<int> direct_exchanger::peers_in_order() const {
  std::vector<int> peers;
  for (int step = 0; step < group_.size(); ++step) {
    const int peer =
        options_.order == peer_order::rotated ? (group_.rank() + step) % group_.size() : step;
    if (peer != group_.rank()) peers.push_back(peer);
  }
  return peers;
}

const direct_exchanger::routed_plan& direct_exchanger::plan(tag_state& tag, const slice& part,
                                                            const tensor_strides& strides) const {
  const auto known = std::ranges::find_if(tag.plans, [&](const routed_plan& each) {
    return each.part == part && each.strides == strides;
  });
  if (known != tag.plans.end()) return *known;

  routed_plan made{part, strides, {}, {}};
  const auto copies = plan_exchange(tag.spec->geometry, group_.rank(), part, strides);
  const auto append = [&](int peer, std::vector<pitched_copy>& to) {
    std::ranges::copy_if(copies, std::back_inserter(to),
                         [&](const pitched_copy& copy) { return copy.peer == peer; });
  };
  for (const int peer : peers_in_order()) append(peer, made.to_peers);
  append(group_.rank(), made.own);
  if (tag.plans.size() == max_plans) tag.plans.clear();
  return tag.plans.emplace_back(std::move(made));
}

bool direct_exchanger::synchronize(std::chrono::steady_clock::time_point deadline) {
  return copy_stream_->synchronize(deadline) && own_stream_->synchronize(deadline);
}

std::size_t direct_exchanger::memory_bytes() const {
  return cache_.memory_bytes() + (board_page_ ? board_page_->size_bytes() : 0);
}

std::string direct_exchanger::diagnose() {
  const std::uint64_t epoch = ledger_.latest();
  std::string text = "epoch " + std::to_string(epoch);
  if (!board_) return text + ": no exchange was prepared";
  const auto read = [&](const std::uint64_t* word) {
    std::uint64_t value = 0;
    device_.read(reinterpret_cast<const std::byte*>(word),
                 std::as_writable_bytes(std::span(&value, 1)));
    return value;
  };
  for (const int peer : peers_in_order()) {
    const std::uint64_t arrived = read(board_->arrival(peer));
    if (arrived < epoch) {
      text += "; rank " + std::to_string(peer) + " has delivered up to epoch " +
              std::to_string(arrived);
    }
    for (std::size_t tag = 0; tag < tags_.size(); ++tag) {
      const std::uint64_t seen = release_seen_[tag][static_cast<std::size_t>(peer)];
      const std::uint64_t released = read(board_->released(tag, peer));
      if (released < seen) {
        text += "; rank " + std::to_string(peer) + " has not released tag " + ledger_.name(tag) +
                " of epoch " + std::to_string(seen);
      }
    }
  }
  return text;
}

}  // namespace ithaca
