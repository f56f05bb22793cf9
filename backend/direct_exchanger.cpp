#include "backend/direct_exchanger.hpp"

#include <algorithm>
#include <stdexcept>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "kernels/push.hpp"

namespace ithaca {
namespace {

kernels::copy_region region(const pitched_copy& of, const source_view& source, std::byte* target) {
  return {source.data + of.source_offset,
          of.source_pitch,
          target + of.target_offset,
          of.target_pitch,
          of.width,
          of.height};
}

}  // namespace

direct_exchanger::direct_exchanger(group& among, device& on, direct_options options)
    : group_(among),
      device_(on),
      options_(options),
      peers_(peers_in_order(among.rank(), among.size(), options.order)),
      copy_stream_(on.create_stream("copy", stream_priority::high)),
      own_stream_(on.create_stream("own chunk", stream_priority::high)),
      release_stream_(on.create_stream("release", stream_priority::high)),
      source_ready_(on.create_event(event_timing::off)),
      marks_(on),
      kernels_(on, among.rank(), peers_, options.push_exchange_ctas),
      release_awaited_(signal_board::max_tags,
                       std::vector<std::uint64_t>(static_cast<std::size_t>(among.size()))),
      release_seen_(release_awaited_) {}

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
  const bool together = goes_by_push_exchange(options_, specs);
  for (const tensor_spec& spec : specs) make_current(spec, together);
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
  run_together(group_, [&] {
    if (!board_page_) {
      board_page_ = device_.allocate(signal_board::size_bytes(group_.size()), options_.sharing);
      device_.write(std::vector<std::byte>(board_page_->size_bytes()), board_page_->data());
    }
    for (const tensor_spec& spec : specs) {
      if (cache_.find(describe(spec))) continue;
      const std::size_t bytes = std::max<std::size_t>(1, spec.geometry.target_bytes(group_.rank()));
      made.push_back(std::make_shared<target>(
          target{describe(spec), device_.allocate(bytes, options_.sharing), std::nullopt}));
    }
  });
  if (!board_) board_.emplace(group_, device_, board_page_);
  for (const auto& each : made) {
    each->everyones.emplace(group_, device_, each->mine);
    cache_.insert(each);
  }
}

std::string direct_exchanger::why_not_here(std::span<const tensor_spec> specs) {
  const std::vector<std::string> identities = group_.all_gather_text(device_.identity());
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

void direct_exchanger::make_current(const tensor_spec& spec, bool together) {
  const std::size_t number = ledger_.declare(spec.tag);
  if (number >= signal_board::max_tags) {
    throw invalid_use("an exchanger can have at most " + std::to_string(signal_board::max_tags) +
                      " tags");
  }
  ledger_.require_free(number, "prepare");
  if (number >= tags_.size()) tags_.resize(number + 1);
  tag_state& tag = tags_[number];
  if (!tag.spec || describe(*tag.spec) != describe(spec)) tag.routes.clear();
  tag.spec = spec;
  tag.current = cache_.find(describe(spec));
  tag.together = together;
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
  if (on.capturing()) {
    throw invalid_use(
        "an exchange by copy engine or push can't be captured into a graph: its epoch would be "
        "replayed; submit outside the capture");
  }
  require_reachable(device_, tag, part, source);
  const std::size_t number = ledger_.number(tag);
  tag_state& mine = tags_[number];
  const peer_route& route = mine.routes.find_or_make(mine.spec->geometry, group_.rank(),
                                                     options_.order, part, source.strides);
  std::vector<std::size_t> tags = ledger_.open_tags();
  const std::uint64_t epoch = ledger_.submit(number, order);
  exchange_ledger::attempt attempt(ledger_);
  if (std::ranges::find(tags, number) == tags.end()) tags.push_back(number);

  if (mine.together)
    gather(number, route, source, on);
  else
    enqueue(mine, route, source, on, epoch);
  if (order == submit_order::last) {
    const std::vector<release_signal> releases = releases_of(kernels_.tags());
    const bool by_kernel = !open_.on_copy_stream && kernels_.fits(releases.size());
    completions_.emplace(epoch, by_kernel ? complete_by_kernel(epoch, number, on, releases)
                                          : complete_on_copy_stream(epoch, number));
    for (const std::size_t each : tags) tags_[each].free_when = {number, epoch};
    open_ = {};
  }
  attempt.succeeded();
}

direct_exchanger::completion direct_exchanger::complete_on_copy_stream(std::uint64_t epoch,
                                                                       std::size_t completing_tag) {
  if (!kernels_.empty()) push_gathered(epoch);
  for (const int peer : peers_) {
    copy_stream_->write_value(board_->peer_arrival(signal_lane::copies, peer), epoch,
                              {ledger_.name(completing_tag), peer, epoch});
  }
  completion done;
  done.completing_tag = completing_tag;
  done.sent = marks_.recorded(*copy_stream_);
  if (open_.own_copied) done.own_copied = marks_.recorded(*own_stream_);
  return done;
}

direct_exchanger::completion direct_exchanger::complete_by_kernel(
    std::uint64_t epoch, std::size_t completing_tag, stream& on,
    std::span<const release_signal> releases) {
  for (const std::size_t number : kernels_.tags()) {
    const tag_state& tag = tags_[number];
    if (tag.released && tag.released_on != on.id()) on.wait(*tag.released);
  }
  for (const release_signal& each : releases) {
    for (const int peer : peers_) {
      release_awaited_[each.completing_tag][static_cast<std::size_t>(peer)] = each.epoch;
    }
  }
  kernels_.exchange(on, *board_, releases, epoch, ledger_.name(completing_tag));
  completion done;
  done.completing_tag = completing_tag;
  done.lane = signal_lane::kernel;
  done.ordered = {on.id()};
  return done;
}

void direct_exchanger::enqueue(const tag_state& tag, const peer_route& route,
                               const source_view& source, stream& on, std::uint64_t epoch) {
  open_.on_copy_stream = true;
  // The first peer's release is awaited before the source: it mostly came long ago, and then costs
  // nothing while the source is still being made.
  if (!route.to_peers.empty()) {
    const int first = route.to_peers.front().peer;
    await_peer_release(tag.free_when, first, {tag.spec->tag, first, epoch});
  }
  on.record(*source_ready_);
  copy_stream_->wait(*source_ready_);
  if (options_.moves == mover::push_kernel)
    push(tag, route, source, epoch);
  else
    copy(tag, route, source, epoch);
  if (tag.spec->own == own_chunk::copied && !route.own.empty()) copy_own(tag, route, source, epoch);
}

void direct_exchanger::copy(const tag_state& tag, const peer_route& route,
                            const source_view& source, std::uint64_t epoch) {
  for (const pitched_copy& each : route.to_peers) {
    const operation_label label{tag.spec->tag, each.peer, epoch};
    await_peer_release(tag.free_when, each.peer, label);
    copy_stream_->copy({source.data + each.source_offset, each.source_pitch,
                        tag.current->everyones->at(each.peer) + each.target_offset,
                        each.target_pitch, each.width, each.height, true},
                       label);
  }
}

void direct_exchanger::push(const tag_state& tag, const peer_route& route,
                            const source_view& source, std::uint64_t epoch) {
  for (const pitched_copy& each : route.to_peers) {
    await_peer_release(tag.free_when, each.peer, {tag.spec->tag, each.peer, epoch});
  }
  std::vector<kernels::copy_region> regions = regions_to_peers(tag, route, source);
  if (regions.empty()) return;
  copy_stream_->launch(kernels::push(std::move(regions), options_.push),
                       {tag.spec->tag, -1, epoch});
}

/// Beside what goes to the peers: the links are slower than the memory.
void direct_exchanger::copy_own(const tag_state& tag, const peer_route& route,
                                const source_view& source, std::uint64_t epoch) {
  own_stream_->wait(*source_ready_);
  if (tag.released) own_stream_->wait(*tag.released);
  for (const pitched_copy& each : route.own) {
    own_stream_->copy({source.data + each.source_offset, each.source_pitch,
                       tag.current->mine->data() + each.target_offset, each.target_pitch,
                       each.width, each.height, false},
                      {tag.spec->tag, group_.rank(), epoch});
  }
  open_.own_copied = true;
}

void direct_exchanger::gather(std::size_t tag, const peer_route& route, const source_view& source,
                              stream& on) {
  const tag_state& mine = tags_[tag];
  std::vector<kernels::copy_region> regions = regions_to_peers(mine, route, source);
  if (mine.spec->own == own_chunk::copied) {
    for (const pitched_copy& each : route.own) {
      regions.push_back(region(each, source, mine.current->mine->data()));
    }
  }
  kernels_.gather(tag, std::move(regions), piece_count(mine.spec->geometry), on);
}

void direct_exchanger::push_gathered(std::uint64_t epoch) {
  const std::string& name = ledger_.name(kernels_.tags().front());
  for (const release_signal& each : releases_of(kernels_.tags())) {
    for (const int peer : peers_) await_peer_release(each, peer, {name, peer, epoch});
  }
  const std::vector<kernels::copy_region> regions = kernels_.take(*copy_stream_);
  // Many slices can come to more regions than one launch takes.
  for (std::size_t first = 0; first < regions.size(); first += kernels::max_copy_regions) {
    const auto rest = std::span(regions).subspan(first);
    const auto now = rest.first(std::min(rest.size(), kernels::max_copy_regions));
    copy_stream_->launch(kernels::push({now.begin(), now.end()}, options_.push), {name, -1, epoch});
  }
}

std::vector<release_signal> direct_exchanger::releases_of(std::span<const std::size_t> tags) const {
  std::vector<release_signal> releases;
  if (options_.reuse == target_reuse::external) return releases;
  for (const std::size_t number : tags) {
    const release_signal& each = tags_[number].free_when;
    if (each.epoch > 0 && std::ranges::find(releases, each) == releases.end()) {
      releases.push_back(each);
    }
  }
  return releases;
}

std::vector<kernels::copy_region> direct_exchanger::regions_to_peers(
    const tag_state& tag, const peer_route& route, const source_view& source) const {
  std::vector<kernels::copy_region> regions;
  for (const pitched_copy& each : route.to_peers) {
    regions.push_back(region(each, source, tag.current->everyones->at(each.peer)));
  }
  return regions;
}

void direct_exchanger::await_peer_release(const release_signal& signal, int peer,
                                          const operation_label& label) {
  if (options_.reuse == target_reuse::external || signal.epoch == 0) return;
  const auto at = static_cast<std::size_t>(peer);
  std::uint64_t& seen = release_seen_[signal.completing_tag][at];
  if (seen >= signal.epoch) return;
  copy_stream_->wait_value(board_->released(signal.completing_tag, peer), signal.epoch, label);
  seen = signal.epoch;
  release_awaited_[signal.completing_tag][at] = signal.epoch;
}

target_view direct_exchanger::wait(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  const std::uint64_t epoch = ledger_.wait(number);
  exchange_ledger::attempt attempt(ledger_);
  completion& done = completions_.at(epoch);
  if (std::ranges::find(done.ordered, on.id()) == done.ordered.end()) {
    // What is there first is waited for first: the own chunk outruns the links.
    if (done.own_copied) on.wait(*done.own_copied);
    const auto arrived = [&](int from) {
      on.wait_value(board_->arrival(done.lane, from), epoch, {tag, from, epoch});
    };
    if (done.sent)
      on.wait(*done.sent);
    else
      arrived(group_.rank());
    for (const int peer : peers_) arrived(peer);
    done.ordered.push_back(on.id());
  }
  attempt.succeeded();
  const tag_state& mine = tags_[number];
  return {mine.current->mine->data(), mine.spec->geometry.target_bytes(group_.rank())};
}

void direct_exchanger::release(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  const std::uint64_t epoch = ledger_.release(number);
  exchange_ledger::attempt attempt(ledger_);
  tag_state& mine = tags_[number];
  if (!mine.released) mine.released = device_.create_event(event_timing::off);
  on.record(*mine.released);
  mine.released_on = on.id();
  copy_stream_->wait(*mine.released);
  release_stream_->wait(*mine.released);
  if (ledger_.all_released(epoch)) {
    announce_release(epoch, completions_.at(epoch).completing_tag);
    completions_.erase(epoch);
  }
  attempt.succeeded();
}

void direct_exchanger::announce_release(std::uint64_t epoch, std::size_t completing_tag) {
  if (options_.reuse == target_reuse::external) return;
  for (const int peer : peers_) {
    release_stream_->write_value(board_->peer_released(completing_tag, peer), epoch,
                                 {ledger_.name(completing_tag), peer, epoch});
  }
}

// ---- helpers ------------------------------------------------------------------------------------

bool direct_exchanger::synchronize(std::chrono::steady_clock::time_point deadline) {
  return copy_stream_->synchronize(deadline) && own_stream_->synchronize(deadline) &&
         release_stream_->synchronize(deadline) &&
         (!board_ || kernels_.synchronize(*board_, deadline));
}

std::size_t direct_exchanger::memory_bytes() const {
  return cache_.memory_bytes() + (board_page_ ? board_page_->size_bytes() : 0);
}

exchange_way direct_exchanger::taken() const {
  if (options_.moves != mover::hybrid) return {};
  const bool all = std::ranges::all_of(tags_, &tag_state::together);
  const bool any = std::ranges::any_of(tags_, &tag_state::together);
  const std::string limit = std::to_string(options_.push_exchange_up_to_bytes) + " bytes a peer";
  if (all) return {"push-exchange", "no more than " + limit};
  if (any) return {"mixed", "some tensors by one kernel: no more than " + limit};
  return {"copy-engine", "more than " + limit + ", or too many pieces"};
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
  for (const int peer : peers_) {
    const std::uint64_t arrived = std::max(read(board_->arrival(signal_lane::copies, peer)),
                                           read(board_->arrival(signal_lane::kernel, peer)));
    if (arrived < epoch) {
      text += "; rank " + std::to_string(peer) + " has delivered up to epoch " +
              std::to_string(arrived);
    }
    for (std::size_t tag = 0; tag < tags_.size(); ++tag) {
      const std::uint64_t awaited = release_awaited_[tag][static_cast<std::size_t>(peer)];
      const std::uint64_t released = read(board_->released(tag, peer));
      if (released < awaited) {
        text += "; rank " + std::to_string(peer) + " has not released tag " + ledger_.name(tag) +
                " of epoch " + std::to_string(awaited);
      }
    }
  }
  return text;
}

}  // namespace ithaca
