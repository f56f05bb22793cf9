#include "backend/direct_exchanger.hpp"

#include <algorithm>
#include <stdexcept>

#include "backend/errors.hpp"
#include "backend/host_wait.hpp"
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
      setup_(among, on, options),
      peers_(peers_in_order(among.rank(), among.size(), options.order)),
      source_ready_(on.create_event(event_timing::off)),
      marks_(on),
      kernels_(on, among.rank(), peers_, options.push_exchange_ctas),
      lanes_(on, lanes_of(options, among.size()), options.copy_priority),
      own_(on, options.own),
      release_stream_(on.create_stream("release", stream_priority::high)) {}

direct_exchanger::~direct_exchanger() {
  try {
    closing_.emplace(group_, "closing an exchanger");
    synchronize(grace_to_finish());
  } catch (...) {
    // The stream's error has been, or will be, reported by whoever waited on it.
  }
}

// ---- prepare ------------------------------------------------------------------------------------

void direct_exchanger::prepare(std::span<const tensor_spec> specs) {
  require_cacheable(specs, slots_of_a_tag(options()));
  const step preparing(group_,
                       [&] { return "preparing tags " + tags_of(specs) + " at " + standing(); });
  setup_.prepare(specs, [&] { drain(); });
  if (setup_.board() && !handshake_) {
    handshake_.emplace(options(), group_.rank(), peers_, *setup_.board());
    if (step_pacer::is_wanted(options(), group_.size())) {
      pacer_.emplace(options(), group_.rank(), group_.size(), *setup_.board());
    }
  }
  const bool together = goes_by_push_exchange(options(), specs);
  for (const tensor_spec& spec : specs) make_current(spec, together);
}

/// The release stream waits for this rank's releases, and a release follows the arrival of what it
/// releases: once drained, nobody writes the targets that go.
void direct_exchanger::drain() {
  require_done(
      group_, [&] { return synchronize(group_.deadline()); }, [&] { return diagnose(); });
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
  tag.current = setup_.target_of(spec);
  tag.together = together;
}

// ---- the exchange -------------------------------------------------------------------------------

target_view direct_exchanger::acquire(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  ledger_.require_free(number, "acquire");
  const tag_state& mine = tags_[number];
  await_released(mine.current->current(), on, on.capture_id());
  return view(mine);
}

void direct_exchanger::submit(std::string_view tag, const slice& part, const source_view& source,
                              stream& on, submit_order order) {
  const std::size_t number = ledger_.number(tag);
  tag_state& mine = tags_[number];
  std::vector<std::size_t> tags = ledger_.open_tags();
  const std::size_t leading = tags.empty() ? number : tags.front();
  const std::uint64_t capture = on.capture_id();
  require_capturable(mine, leading, capture);
  require_reachable(device_, tag, part, source);
  const bool opens_tag = std::ranges::find(tags, number) == tags.end();
  if (!opens_tag && by_tensor()) require_not_announced(mine, part);
  const peer_route& route = mine.routes.find_or_make(mine.spec->geometry, group_.rank(),
                                                     options().order, part, source.strides);
  packed_source* const packed = mine.current->packed.get();
  if (packed) packed->require_room(route.to_peers, opens_tag);
  const std::uint64_t epoch = ledger_.submit(number, order);
  exchange_ledger::attempt attempt(ledger_);
  if (opens_tag) {
    tags.push_back(number);
    mine.progress.begin(mine.spec->geometry.whole_source(group_.rank()));
    if (packed) packed->begin();
  }
  mine.progress.submit(part);
  open_.now.leading_tag = leading;
  open_.now.epoch = epoch;
  open_.capture = capture;

  if (mine.together)
    gather(number, route, source, on);
  else
    enqueue(mine, route, source, on);
  if (by_tensor() && mine.progress.is_due()) announce_tensor(number);
  if (order == submit_order::last) complete(tags, on);
  attempt.succeeded();
}

void direct_exchanger::complete(std::span<const std::size_t> tags, stream& on) {
  const std::vector<exchange_mark> before = exchanges_before(kernels_.tags());
  const bool by_kernel = !open_.on_copy_stream && kernels_.fits(before.size());
  completion done = by_kernel ? complete_by_kernel(on, before) : complete_on_copy_stream(tags, on);
  done.capture = open_.capture;
  for (const std::size_t each : tags) {
    tag_state& its = tags_[each];
    its.last = done.mark;
    its.current->current().used = true;
    if (its.current->packed) {
      its.current->packed->free_behind(by_tensor() ? its.progress.sent() : done.sent);
    }
    if (open_.capture != 0) its.current->captured = true;
  }
  completions_.emplace(open_.now.epoch, std::move(done));
  own_.close();
  open_ = {};
}

void direct_exchanger::require_capturable(const tag_state& tag, std::size_t leading,
                                          std::uint64_t capture) const {
  if (const std::string reason = why_not_captured(); capture != 0 && !reason.empty()) {
    throw invalid_use(reason);
  }
  if (options().words == signal_words::flags && tag.last.epoch != 0 &&
      tag.last.leading_tag != leading) {
    throw invalid_use("with signal_words::flags tags are always exchanged in the same company: " +
                      tag.spec->tag + " was led by " + ledger_.name(tag.last.leading_tag));
  }
  if (open_.now.epoch != 0 && open_.capture != capture) {
    throw invalid_use("all submits of an exchange belong into the same capture");
  }
}

void direct_exchanger::require_not_announced(const tag_state& tag, const slice& part) const {
  if (tag.progress.takes(part)) return;
  throw invalid_use("with arrival per tensor nothing may follow the last rows of tag " +
                    tag.spec->tag + " in an exchange");
}

void direct_exchanger::announce_tensor(std::size_t number) {
  tag_state& mine = tags_[number];
  lanes_.join(marks_);
  handshake_->announce_arrival(lanes_.first(), open_.now, number, mine.spec->tag);
  mine.progress.announce(marks_.recorded(lanes_.first()), own_.marks());
}

direct_exchanger::completion direct_exchanger::complete_on_copy_stream(
    std::span<const std::size_t> tags, const stream& on) {
  if (!kernels_.empty()) push_gathered(on);
  if (options().reuse == target_reuse::n_buffers) {
    // The arrival also says that the readers of the next targets are through.
    for (const std::size_t each : tags) {
      await_released(tags_[each].current->next(), lanes_.first(), 0);
    }
  }
  completion done;
  done.mark = open_.now;
  if (by_tensor()) {
    for (const std::size_t each : tags) {
      if (!tags_[each].progress.is_announced()) announce_tensor(each);
    }
    return done;
  }
  lanes_.join(marks_);
  handshake_->announce_arrival(lanes_.first(), done.mark, ledger_.name(done.mark.leading_tag));
  done.sent = marks_.recorded(lanes_.first());
  done.own_copied = own_.marks();
  return done;
}

direct_exchanger::completion direct_exchanger::complete_by_kernel(
    stream& on, std::span<const exchange_mark> before) {
  for (const std::size_t number : kernels_.tags()) {
    target& mine = *tags_[number].current;
    await_released(mine.current(), on, 0);
    if (options().reuse == target_reuse::n_buffers) await_released(mine.next(), on, 0);
  }
  std::vector<awaited_word> words;
  for (const exchange_mark& each : before) {
    for (const int peer : peers_) {
      const auto word = handshake_->permission(each, peer, on.id());
      if (!word) continue;
      words.push_back(*word);
      handshake_->note_awaited(*word);
    }
  }
  completion done;
  done.mark = open_.now;
  done.mark.lane = signal_lane::kernel;
  done.mark.known_on = {on.id()};
  kernels_.exchange(on, *setup_.board(), std::move(words), done.mark.epoch,
                    ledger_.name(done.mark.leading_tag));
  return done;
}

/// What `on` already holds is behind it.
void direct_exchanger::await_released(const target_slot& slot, stream& on,
                                      std::uint64_t capture) const {
  // Across the border of a capture the caller orders the replays.
  if (!slot.released || slot.released_in != capture || slot.released_on == on.id()) return;
  on.wait(*slot.released);
}

exchange_mark direct_exchanger::before(const tag_state& tag) const {
  return tag.current->current().used ? tag.last : exchange_mark{};
}

void direct_exchanger::enqueue(const tag_state& tag, const peer_route& route,
                               const source_view& source, stream& on) {
  open_.on_copy_stream = true;
  // The first peer's permission is awaited before the source: it mostly came long ago, and then
  // costs nothing while the source is still being made. Not in a capture, which the copy stream
  // joins by waiting for the source.
  if (!route.to_peers.empty() && options().words == signal_words::epochs) {
    await_permission(tag, route.to_peers.front().peer, on);
  }
  packed_source* const packed = tag.current->packed.get();
  std::vector<pitched_copy> of_packed;
  if (packed) {
    of_packed = packed->pack(route.to_peers, source, on, {tag.spec->tag, -1, open_.now.epoch});
  }
  on.record(*source_ready_);
  lanes_.wait(*source_ready_);
  if (options().moves == mover::push_kernel)
    push(tag, route, source, on);
  else if (packed)
    copy(tag, of_packed, packed->data(), on);
  else
    copy(tag, route.to_peers, source.data, on);
  if (tag.spec->own == own_chunk::copied && !route.own.empty()) copy_own(tag, route, source, on);
}

void direct_exchanger::await_permission(const tag_state& tag, int peer, const stream& on) {
  handshake_->await_permission(copies_to(peer), open_.now, before(tag), peer, on.id(),
                               {tag.spec->tag, peer, open_.now.epoch});
}

stream& direct_exchanger::copies_to(int peer) const {
  return lanes_.of(static_cast<std::size_t>(std::ranges::find(peers_, peer) - peers_.begin()));
}

void direct_exchanger::copy(const tag_state& tag, std::span<const pitched_copy> copies,
                            const std::byte* source, const stream& on) {
  const target_slot& slot = tag.current->current();
  if (pacer_) pacer_->begin_submit(tag.spec->tag, open_.now.epoch);
  for (const int peer : peers_) {
    if (pacer_) pacer_->begin_step(lanes_.first());
    for (const pitched_copy& each : copies) {
      if (each.peer != peer) continue;
      await_permission(tag, peer, on);
      copies_to(peer).copy({source + each.source_offset, each.source_pitch,
                            slot.everyones->at(peer) + each.target_offset, each.target_pitch,
                            each.width, each.height, true},
                           {tag.spec->tag, peer, open_.now.epoch});
    }
    if (pacer_) pacer_->end_step(lanes_.first());
  }
}

void direct_exchanger::push(const tag_state& tag, const peer_route& route,
                            const source_view& source, const stream& on) {
  for (const pitched_copy& each : route.to_peers) await_permission(tag, each.peer, on);
  std::vector<kernels::copy_region> regions = regions_to_peers(tag, route, source);
  if (regions.empty()) return;
  lanes_.first().launch(kernels::push(std::move(regions), options().push),
                        {tag.spec->tag, -1, open_.now.epoch});
}

void direct_exchanger::copy_own(const tag_state& tag, const peer_route& route,
                                const source_view& source, stream& on) {
  const target_slot& slot = tag.current->current();
  own_.enqueue({route.own,
                source.data,
                slot.mine->data(),
                *source_ready_,
                on,
                lanes_.first(),
                {tag.spec->tag, group_.rank(), open_.now.epoch}},
               [&](stream& at) { await_released(slot, at, open_.capture); });
}

void direct_exchanger::gather(std::size_t tag, const peer_route& route, const source_view& source,
                              stream& on) {
  const tag_state& mine = tags_[tag];
  std::vector<kernels::copy_region> regions = regions_to_peers(mine, route, source);
  if (mine.spec->own == own_chunk::copied) {
    for (const pitched_copy& each : route.own) {
      regions.push_back(region(each, source, mine.current->current().mine->data()));
    }
  }
  kernels_.gather(tag, std::move(regions), piece_count(mine.spec->geometry), on);
}

void direct_exchanger::push_gathered(const stream& on) {
  for (const std::size_t tag : kernels_.tags()) {
    await_released(tags_[tag].current->current(), lanes_.first(), open_.capture);
    for (const int peer : peers_) await_permission(tags_[tag], peer, on);
  }
  const operation_label label{ledger_.name(kernels_.tags().front()), -1, open_.now.epoch};
  const std::vector<kernels::copy_region> regions = kernels_.take(lanes_.first());
  // Many slices can come to more regions than one launch takes.
  for (std::size_t first = 0; first < regions.size(); first += kernels::max_copy_regions) {
    const auto rest = std::span(regions).subspan(first);
    const auto now = rest.first(std::min(rest.size(), kernels::max_copy_regions));
    lanes_.first().launch(kernels::push({now.begin(), now.end()}, options().push), label);
  }
}

std::vector<exchange_mark> direct_exchanger::exchanges_before(
    std::span<const std::size_t> tags) const {
  std::vector<exchange_mark> marks;
  if (options().reuse == target_reuse::external) return marks;
  for (const std::size_t number : tags) {
    const exchange_mark last = before(tags_[number]);
    const auto same = [&](const exchange_mark& each) { return each.same_exchange(last); };
    if (last.epoch > 0 && std::ranges::none_of(marks, same)) marks.push_back(last);
  }
  return marks;
}

std::vector<kernels::copy_region> direct_exchanger::regions_to_peers(
    const tag_state& tag, const peer_route& route, const source_view& source) const {
  std::vector<kernels::copy_region> regions;
  for (const pitched_copy& each : route.to_peers) {
    regions.push_back(region(each, source, tag.current->current().everyones->at(each.peer)));
  }
  return regions;
}

target_view direct_exchanger::view(const tag_state& tag) const {
  return {tag.current->current().mine->data(), tag.spec->geometry.target_bytes(group_.rank())};
}

void direct_exchanger::require_captured_alike(std::size_t tag, const stream& on) const {
  const auto known = completions_.find(ledger_.exchange_of(tag));
  if (known == completions_.end() || known->second.capture == on.capture_id()) return;
  throw invalid_use(
      "an exchange is awaited and released in the capture that it was submitted in, or outside of "
      "all");
}

target_view direct_exchanger::wait(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  require_captured_alike(number, on);
  const std::uint64_t epoch = ledger_.wait(number);
  exchange_ledger::attempt attempt(ledger_);
  completion& done = completions_.at(epoch);
  if (by_tensor()) {
    tags_[number].progress.await_moved(on);
    handshake_->await_arrival(on, done.mark, number, tag);
  } else if (!done.mark.is_known_on(on.id())) {
    await_arrival(done, tag, on);
    done.mark.known_on.push_back(on.id());
  }
  attempt.succeeded();
  return view(tags_[number]);
}

void direct_exchanger::await_arrival(completion& done, std::string_view tag, stream& on) {
  if (done.arrived) return on.wait(*done.arrived);
  // What is there first is waited for first: the own chunk outruns the links.
  for (const auto& each : done.own_copied) on.wait(*each);
  if (done.sent) on.wait(*done.sent);
  handshake_->await_arrival(on, done.mark, tag);
  if (options().words == signal_words::flags) done.arrived = marks_.recorded(on);
}

void direct_exchanger::release(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  require_captured_alike(number, on);
  const std::uint64_t epoch = ledger_.release(number);
  exchange_ledger::attempt attempt(ledger_);
  completion& done = completions_.at(epoch);
  tag_state& mine = tags_[number];
  target_slot& slot = mine.current->current();
  if (!slot.released) slot.released = device_.create_event(event_timing::off);
  on.record(*slot.released);
  slot.released_on = on.id();
  slot.released_in = done.capture;
  // What a capture begins ends on its caller's streams.
  if (done.capture == 0)
    release_stream_->wait(*slot.released);
  else
    done.released.push_back(marks_.recorded(on));
  mine.last.known_on = done.mark.known_on;
  if (ledger_.all_released(epoch)) {
    announce_release(done, on);
    completions_.erase(epoch);
  }
  mine.current->advance();
  attempt.succeeded();
}

void direct_exchanger::announce_release(const completion& done, stream& on) {
  const std::string& name = ledger_.name(done.mark.leading_tag);
  if (done.capture == 0) return handshake_->announce_release(*release_stream_, done.mark, name);
  for (const auto& each : done.released) on.wait(*each);
  handshake_->announce_release(on, done.mark, name);
}

// ---- helpers ------------------------------------------------------------------------------------

std::string direct_exchanger::why_not_captured() const {
  if (options().words == signal_words::flags) return "";
  return "it signals epochs, which a graph would replay: make it with signal_words::flags, or "
         "submit outside the capture";
}

bool direct_exchanger::synchronize(std::chrono::steady_clock::time_point deadline) {
  watch* const by = group_.watched().get();
  return lanes_.synchronize(deadline, by) && own_.synchronize(deadline, by) &&
         release_stream_->synchronize(deadline, by) &&
         (!setup_.board() || kernels_.synchronize(*setup_.board(), deadline, by));
}

exchange_way direct_exchanger::taken() const {
  exchange_way way = taken_by_size();
  if (setup_.signals_staged_because().empty()) return way;
  if (way.name.empty()) way.name = to_string(options().moves);
  way.name += staged_suffix;
  way.why += (way.why.empty() ? "" : "; ") + setup_.signals_staged_because();
  return way;
}

exchange_way direct_exchanger::taken_by_size() const {
  if (options().moves != mover::hybrid) return {};
  const bool all = std::ranges::all_of(tags_, &tag_state::together);
  const bool any = std::ranges::any_of(tags_, &tag_state::together);
  const std::string limit = std::to_string(options().push_exchange_up_to_bytes) + " bytes a peer";
  if (all) return {"push-exchange", "no more than " + limit};
  if (any) return {"mixed", "some tensors by one kernel: no more than " + limit};
  return {"copy-engine", "more than " + limit + ", or too many pieces"};
}

std::string direct_exchanger::diagnose() {
  if (!handshake_) return standing() + ": no exchange was prepared";
  return standing() + handshake_->missing(device_, ledger_) +
         (pacer_ ? pacer_->missing(device_) : "");
}

}  // namespace ithaca
