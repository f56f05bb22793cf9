#include "backend/packed_exchanger.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "backend/agreement.hpp"
#include "backend/chunk_sizes.hpp"
#include "backend/errors.hpp"
#include "backend/host_wait.hpp"

namespace ithaca {
namespace {

/// Exchanges whose plans are kept; schedules use a handful.
constexpr std::size_t max_plans = 64;

std::size_t total(const std::vector<std::size_t>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
}

kernels::copy_region region(const pitched_copy& copy, const std::byte* source, std::byte* target) {
  return {source + copy.source_offset, copy.source_pitch, target + copy.target_offset,
          copy.target_pitch,           copy.width,        copy.height};
}

/// The same whatever the order in which tags were prepared: the buffers only depend on the set.
std::string request_for(std::span<const tensor_spec> specs) {
  std::set<std::string> texts;
  for (const tensor_spec& spec : specs) texts.insert("[" + describe(spec) + "]");
  return std::accumulate(texts.begin(), texts.end(), std::string());
}

/// In as many launches as the regions take: many slices can come to more than one holds, and a rank
/// without tokens has nothing to move.
void launch_all(stream& on, kernel_call (*kernel)(std::vector<kernels::copy_region>),
                std::span<const kernels::copy_region> regions, const operation_label& label) {
  while (!regions.empty()) {
    const auto now = regions.first(std::min(regions.size(), kernels::max_copy_regions));
    on.launch(kernel({now.begin(), now.end()}), label);
    regions = regions.subspan(now.size());
  }
}

}  // namespace

packed_exchanger::packed_exchanger(group& among, device& on,
                                   std::unique_ptr<packed_transport> transport, packing packed)
    : group_(among),
      device_(on),
      packing_(packed),
      transport_(std::move(transport)),
      stream_(on.create_stream("collective", stream_priority::high)),
      source_ready_(on.create_event(event_timing::off)),
      arrived_(on.create_event(event_timing::off)) {}

packed_exchanger::~packed_exchanger() {
  try {
    closing_.emplace(group_, "closing an exchanger");
    synchronize(grace_to_finish());
  } catch (...) {
    // The stream's error has been, or will be, reported by whoever waited on it.
  }
}

void packed_exchanger::prepare(std::span<const tensor_spec> specs) {
  if (specs.empty()) return;
  require_cacheable(specs);
  const step preparing(group_,
                       [&] { return "preparing tags " + tags_of(specs) + " at " + standing(); });
  for (std::size_t number = 0; number < tags_.size(); ++number) {
    const auto is_wanted = [&](const tensor_spec& spec) {
      return spec.tag == ledger_.name(number);
    };
    if (std::ranges::any_of(specs, is_wanted)) ledger_.require_free(number, "prepare");
  }
  for (const tensor_spec& spec : specs) {
    if (spec.own == own_chunk::produced) {
      throw not_eligible("a packed exchange moves the own chunk too: nobody else may produce it");
    }
  }
  // All current tags may travel together, so the buffers are for all of them.
  const std::vector<tensor_spec> together = current_with(specs);
  const std::string request = request_for(together);
  const bool all_known = std::ranges::all_of(
      specs, [&](const tensor_spec& spec) { return cache_.find(describe(spec)) != nullptr; });
  if (!all_known || !padding_of_.contains(request)) allocate(specs, together, request);
  padding_bytes_ = padding_of_.at(request);
  for (const tensor_spec& spec : specs) make_current(spec);
}

std::string packed_exchanger::why_not(std::span<const tensor_spec> specs) const {
  std::size_t packed = 0, laid_out = 0;
  for (const tensor_spec& spec : specs) {
    const tensor_geometry& tensor = spec.geometry;
    for (int from = 0; from < group_.size(); ++from) {
      for (const pitched_copy& copy :
           plan_exchange(tensor, from, tensor.whole_source(from), tensor.contiguous_source(from))) {
        if (from == group_.rank()) ++packed;
        if (copy.peer == group_.rank()) ++laid_out;
      }
    }
  }
  const std::size_t pieces = std::max(packed, laid_out);
  if (pieces <= kernels::max_copy_regions) return "";
  return "the exchange takes " + std::to_string(pieces) +
         " pitched pieces (one a tensor, peer and batch), and a kernel packs at most " +
         std::to_string(kernels::max_copy_regions);
}

std::vector<tensor_spec> packed_exchanger::current_with(std::span<const tensor_spec> specs) const {
  std::vector<tensor_spec> together(specs.begin(), specs.end());
  for (const tag_state& tag : tags_) {
    const auto same_tag = [&](const tensor_spec& spec) { return spec.tag == tag.spec->tag; };
    if (tag.spec && std::ranges::none_of(specs, same_tag)) together.push_back(*tag.spec);
  }
  return together;
}

void packed_exchanger::allocate(std::span<const tensor_spec> specs,
                                std::span<const tensor_spec> together, const std::string& request) {
  require_same(group_, "tensors to exchange", request);
  std::vector<std::string> keys;
  for (const tensor_spec& spec : specs) keys.push_back(describe(spec));

  std::vector<std::size_t> send, receive;
  const std::size_t largest = largest_chunk_bytes(together);
  for (int peer = 0; peer < group_.size(); ++peer) {
    send.push_back(whole_chunk_bytes(together, group_.rank(), peer));
    receive.push_back(whole_chunk_bytes(together, peer, group_.rank()));
    if (transport_->equal_chunks_only()) send.back() = receive.back() = largest;
  }
  require_eligible(group_, why_not(together));
  require_eligible(group_, transport_->why_not(send, receive));

  // Nothing may be in flight over what is replaced, nor be read from it.
  for (const tag_state& tag : tags_) {
    if (tag.released) stream_->wait(*tag.released);
  }
  require_done(
      group_, [&] { return synchronize(group_.deadline()); }, [&] { return diagnose(); });
  // Before the new ones, which may need the room: only spare targets go, a tag's own stays with it.
  const auto missing = std::ranges::count_if(
      keys, [&](const std::string& key) { return cache_.find(key) == nullptr; });
  cache_.make_room(static_cast<std::size_t>(missing), keys);

  std::vector<std::shared_ptr<target>> targets;
  run_together(group_, [&] {
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (cache_.find(keys[i])) continue;
      const auto bytes = std::max<std::size_t>(1, specs[i].geometry.target_bytes(group_.rank()));
      auto made = std::make_shared<target>();
      made->key = keys[i];
      made->slots.push_back({.mine = device_.allocate(bytes)});
      targets.push_back(std::move(made));
    }
  });
  // Both buffers are replaced together and on all ranks, since binding them is collective.
  if (!group_.agree(buffers_.hold(total(send), total(receive)))) {
    packed_buffers made = make_buffers(total(send), total(receive));
    std::swap(buffers_, made);
  }
  // From here on nothing can be refused.
  for (auto& each : targets) cache_.insert(std::move(each));
  padding_of_[request] = padding_of(together);
}

packed_exchanger::packed_buffers packed_exchanger::make_buffers(std::size_t send_bytes,
                                                                std::size_t receive_bytes) {
  packed_buffers made;
  run_together(group_, [&] {
    // Never smaller than before: what was prepared before may be exchanged again.
    const auto allocate = [&](std::size_t bytes, const std::unique_ptr<memory>& before) {
      return transport_->allocate(
          device_, std::max({std::size_t{1}, bytes, before ? before->size_bytes() : 0}));
    };
    made.send = allocate(send_bytes, buffers_.send);
    made.receive = allocate(receive_bytes, buffers_.receive);
  });
  run_together(group_, [&] { made.bound = transport_->bind(*made.send, *made.receive); });
  return made;
}

std::size_t packed_exchanger::padding_of(std::span<const tensor_spec> specs) const {
  if (!transport_->equal_chunks_only()) return 0;
  if (packing_ != packing::each_submit) return padded_bytes(specs, group_.rank());
  std::size_t padding = 0;  // each tensor travels in chunks of its own
  for (const tensor_spec& spec : specs) padding += padded_bytes({&spec, 1}, group_.rank());
  return padding;
}

void packed_exchanger::make_current(const tensor_spec& spec) {
  const std::size_t number = ledger_.declare(spec.tag);
  if (number >= tags_.size()) tags_.resize(number + 1);
  if (!tags_[number].spec || describe(*tags_[number].spec) != describe(spec)) plans_.clear();
  tags_[number].spec = spec;
  tags_[number].current = cache_.find(describe(spec));
}

target_view packed_exchanger::acquire(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  ledger_.require_free(number, "acquire");
  const tag_state& mine = tags_[number];
  if (mine.released) on.wait(*mine.released);
  return {mine.current->current().mine->data(), mine.spec->geometry.target_bytes(group_.rank())};
}

void packed_exchanger::stage(std::string_view tag, const slice& part, const source_view& source,
                             stream& on, submit_order order) {
  if (packing_ != packing::by_caller) return;
  const std::size_t number = ledger_.number(tag);
  ledger_.require_free(number, "stage");
  plan_exchange(tags_[number].spec->geometry, group_.rank(), part, source.strides);
  if (staged_all_) throw std::logic_error("stage: submit what has been staged first");
  staged_.push_back({number, part, source});
  if (order == submit_order::more) return;
  staged_all_ = true;
  // The last all-to-all may still be sending what was packed before.
  if (ledger_.latest() > 0) on.wait(*arrived_);
  launch_all(on, kernels::pack, pack_regions(plan(staged_), staged_), {tag, -1, 0});
}

void packed_exchanger::require_staged(const piece& submitted, submit_order order) const {
  if (pieces_.empty() && !ledger_.all_released(ledger_.latest())) {
    throw std::logic_error("submit: a bare exchange begins when the one before was released");
  }
  const std::size_t place = pieces_.size();
  const bool is_last = order == submit_order::last;
  if (!staged_all_ || place >= staged_.size() || staged_[place] != submitted ||
      is_last != (place + 1 == staged_.size())) {
    throw std::logic_error("submit: a bare exchange submits what was staged, in the same order");
  }
}

void packed_exchanger::submit(std::string_view tag, const slice& part, const source_view& source,
                              stream& on, submit_order order) {
  require_reachable(device_, tag, part, source);
  const std::size_t number = ledger_.number(tag);
  // Also refuses a slice that leaves the source, before anything is entered.
  plan_exchange(tags_[number].spec->geometry, group_.rank(), part, source.strides);
  if (packing_ == packing::by_caller) require_staged({number, part, source}, order);
  const std::uint64_t epoch = ledger_.submit(number, order);
  on.record(*source_ready_);
  stream_->wait(*source_ready_);
  pieces_.push_back({number, part, source});
  if (order == submit_order::last || packing_ == packing::each_submit) move_pieces(epoch, tag);
  if (order == submit_order::last) {
    staged_.clear();
    staged_all_ = false;
  }
}

slice packed_exchanger::part_on(int rank, const piece& of) const {
  const tensor_geometry& tensor = tags_[of.tag].spec->geometry;
  return of.part == tensor.whole_source(group_.rank()) ? tensor.whole_source(rank) : of.part;
}

std::vector<pitched_copy> packed_exchanger::route(const piece& of, int from, int to) const {
  const tensor_geometry& tensor = tags_[of.tag].spec->geometry;
  // Only this rank's own strides matter: of a peer's copies, it needs what they write.
  const tensor_strides strides =
      from == group_.rank() ? of.source.strides : tensor.contiguous_source(from);
  std::vector<pitched_copy> copies = plan_exchange(tensor, from, part_on(from, of), strides);
  std::erase_if(copies, [&](const pitched_copy& copy) { return copy.peer != to; });
  return copies;
}

std::size_t packed_exchanger::chunk_bytes(const std::vector<piece>& pieces, int from,
                                          int to) const {
  const auto exact = [&](int sender, int receiver) {
    std::size_t bytes = 0;
    for (const piece& each : pieces) {
      for (const pitched_copy& copy : route(each, sender, receiver)) bytes += copy.bytes();
    }
    return bytes;
  };
  if (!transport_->equal_chunks_only()) return exact(from, to);
  std::size_t largest = 0;
  for (int sender = 0; sender < group_.size(); ++sender) {
    for (int receiver = 0; receiver < group_.size(); ++receiver) {
      largest = std::max(largest, exact(sender, receiver));
    }
  }
  return largest;
}

// A chunk holds its pieces in the order of submission, each as the sender's plan lists it.
packed_exchanger::packing_plan packed_exchanger::make_plan(const std::vector<piece>& pieces) const {
  packing_plan made{pieces, {}, {}, {}, {}};
  for (int peer = 0; peer < group_.size(); ++peer) {
    std::size_t packed = total(made.send_bytes);
    std::size_t arrived = total(made.receive_bytes);
    for (std::size_t place = 0; place < pieces.size(); ++place) {
      for (pitched_copy copy : route(pieces[place], group_.rank(), peer)) {
        copy.target_offset = packed;
        copy.target_pitch = copy.width;
        made.pack.push_back({place, copy});
        packed += copy.bytes();
      }
      for (pitched_copy copy : route(pieces[place], peer, group_.rank())) {
        copy.source_offset = arrived;
        copy.source_pitch = copy.width;
        made.relayout.push_back({place, copy});
        arrived += copy.bytes();
      }
    }
    made.send_bytes.push_back(chunk_bytes(pieces, group_.rank(), peer));
    made.receive_bytes.push_back(chunk_bytes(pieces, peer, group_.rank()));
  }
  return made;
}

const packed_exchanger::packing_plan& packed_exchanger::plan(const std::vector<piece>& pieces) {
  const auto known = std::ranges::find_if(plans_, [&](const packing_plan& each) {
    return std::ranges::equal(each.pieces, pieces,
                              [](const piece& a, const piece& b) { return a.same_way(b); });
  });
  if (known != plans_.end()) return *known;
  if (plans_.size() == max_plans) plans_.clear();
  return plans_.emplace_back(make_plan(pieces));
}

std::vector<kernels::copy_region> packed_exchanger::pack_regions(
    const packing_plan& way, const std::vector<piece>& pieces) const {
  std::vector<kernels::copy_region> regions;
  for (const auto& [place, copy] : way.pack) {
    regions.push_back(region(copy, pieces[place].source.data, buffers_.send->data()));
  }
  return regions;
}

std::vector<kernels::copy_region> packed_exchanger::relayout_regions(
    const packing_plan& way, std::optional<std::size_t> tag) const {
  std::vector<kernels::copy_region> regions;
  for (const auto& [place, copy] : way.relayout) {
    const std::size_t of = way.pieces[place].tag;
    if (tag && of != *tag) continue;
    regions.push_back(
        region(copy, buffers_.receive->data(), tags_[of].current->current().mine->data()));
  }
  return regions;
}

void packed_exchanger::move_pieces(std::uint64_t epoch, std::string_view completing_tag) {
  const packing_plan& way = plan(pieces_);
  const std::string obstacle = transport_->why_not(way.send_bytes, way.receive_bytes);
  if (!obstacle.empty()) throw exchange_broken("this slice can't be sent: " + obstacle);

  const bool bare = packing_ == packing::by_caller;
  std::vector<kernels::copy_region> pack, relayout;
  if (!bare) {
    pack = pack_regions(way, pieces_);
    relayout = relayout_regions(way, std::nullopt);
  }

  const operation_label label{completing_tag, -1, epoch};
  // Bare: what arrived in the exchange before has been laid out once its tags are released.
  for (const piece& each : bare ? arrived_pieces_ : pieces_) {
    if (tags_[each.tag].released) stream_->wait(*tags_[each.tag].released);
  }
  launch_all(*stream_, kernels::pack, pack, label);
  stream_->launch(transport_->all_to_all(buffers_.send->data(), way.send_bytes,
                                         buffers_.receive->data(), way.receive_bytes),
                  label);
  launch_all(*stream_, kernels::relayout, relayout, label);
  stream_->record(*arrived_);
  arrived_pieces_ = std::exchange(pieces_, {});
}

target_view packed_exchanger::wait(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  ledger_.wait(number);
  on.wait(*arrived_);
  const tag_state& mine = tags_[number];
  return {mine.current->current().mine->data(), mine.spec->geometry.target_bytes(group_.rank())};
}

void packed_exchanger::unstage(std::string_view tag, stream& on) {
  if (packing_ != packing::by_caller) return;
  const std::size_t number = ledger_.number(tag);
  ledger_.require_arrived(number, "unstage");
  if (tags_[number].released) on.wait(*tags_[number].released);
  launch_all(on, kernels::relayout, relayout_regions(plan(arrived_pieces_), number), {tag, -1, 0});
}

void packed_exchanger::release(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  ledger_.release(number);
  tag_state& mine = tags_[number];
  if (!mine.released) mine.released = device_.create_event(event_timing::off);
  on.record(*mine.released);
}

bool packed_exchanger::synchronize(std::chrono::steady_clock::time_point deadline) {
  return stream_->synchronize(deadline, group_.watched().get());
}

std::size_t packed_exchanger::memory_bytes() const {
  return cache_.memory_bytes() +
         (buffers_.send ? buffers_.send->size_bytes() + buffers_.receive->size_bytes() : 0);
}

std::string packed_exchanger::diagnose() {
  return standing() + ": a rank did not come to the all-to-all";
}

}  // namespace ithaca
