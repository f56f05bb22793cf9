#include "backend/packed_exchanger.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "kernels/move_regions.hpp"

namespace ithaca {
namespace {

/// Bytes that `from` sends to `to` in one exchange of the whole tensor.
std::size_t chunk_bytes(const tensor_geometry& tensor, int from, int to) {
  std::size_t bytes = 0;
  for (const pitched_copy& copy : plan_exchange(tensor, from, tensor.whole_source(from),
                                                tensor.contiguous_source(from))) {
    if (copy.peer == to) bytes += copy.bytes();
  }
  return bytes;
}

std::size_t total(const std::vector<std::size_t>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
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
    synchronize(std::chrono::steady_clock::now() + std::chrono::seconds(1));
  } catch (...) {
    // The stream's error has been, or will be, reported by whoever waited on it.
  }
}

void packed_exchanger::prepare(std::span<const tensor_spec> specs) {
  const bool all_known = std::ranges::all_of(
      specs, [&](const tensor_spec& spec) { return cache_.find(describe(spec)) != nullptr; });
  if (!all_known) allocate(specs);
  for (const tensor_spec& spec : specs) make_current(spec);
}

void packed_exchanger::allocate(std::span<const tensor_spec> specs) {
  std::string request;
  std::vector<std::string> keys;
  for (const tensor_spec& spec : specs) {
    keys.push_back(describe(spec));
    request += "[" + keys.back() + "]";
  }
  require_same(group_, "tensors to exchange", request);

  const auto size = static_cast<std::size_t>(group_.size());
  std::vector<std::size_t> send(size), receive(size);
  for (const tensor_spec& spec : specs) {
    for (int peer = 0; peer < group_.size(); ++peer) {
      send[static_cast<std::size_t>(peer)] += chunk_bytes(spec.geometry, group_.rank(), peer);
      receive[static_cast<std::size_t>(peer)] += chunk_bytes(spec.geometry, peer, group_.rank());
    }
  }
  require_eligible(group_, transport_->why_not(send, receive));

  // Nothing may be in flight over what is replaced.
  if (!synchronize(group_.deadline())) throw exchange_broken("prepare: " + diagnose());
  const auto missing = std::ranges::count_if(
      keys, [&](const std::string& key) { return cache_.find(key) == nullptr; });
  cache_.make_room(static_cast<std::size_t>(missing), keys);
  // Both buffers are replaced together and on all ranks, since binding them is collective.
  const bool grows = !group_.agree(send_ && send_->size_bytes() >= total(send) &&
                                   receive_->size_bytes() >= total(receive));
  std::string reason;
  try {
    if (grows) {
      transport_->unbind();
      send_.reset();
      receive_.reset();
      send_ = transport_->allocate(device_, std::max<std::size_t>(1, total(send)));
      receive_ = transport_->allocate(device_, std::max<std::size_t>(1, total(receive)));
    }
    for (const tensor_spec& spec : specs) {
      if (cache_.find(describe(spec))) continue;
      const std::size_t bytes = std::max<std::size_t>(1, spec.geometry.target_bytes(group_.rank()));
      cache_.insert(std::make_shared<target>(
          target{describe(spec), device_.allocate(bytes), std::nullopt}));
    }
  } catch (const invalid_use& failure) {
    reason = failure.what();
  }
  require_eligible(group_, reason);
  try {
    if (grows) transport_->bind(*send_, *receive_);
  } catch (const not_eligible& failure) {
    reason = failure.what();
  }
  require_eligible(group_, reason);
}

void packed_exchanger::make_current(const tensor_spec& spec) {
  if (spec.own == own_chunk::produced) {
    throw invalid_use("a packed exchange moves the own chunk too: use own_chunk::copied");
  }
  const std::size_t number = ledger_.declare(spec.tag);
  ledger_.require_free(number, "prepare");
  if (number >= tags_.size()) tags_.resize(number + 1);
  tags_[number].spec = spec;
  tags_[number].current = cache_.find(describe(spec));
}

target_view packed_exchanger::acquire(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  ledger_.require_free(number, "acquire");
  const tag_state& mine = tags_[number];
  if (mine.released) on.wait(*mine.released);
  return {mine.current->mine->data(), mine.spec->geometry.target_bytes(group_.rank())};
}

void packed_exchanger::submit(std::string_view tag, const slice& part, const source_view& source,
                              stream& on, submit_order order) {
  const std::size_t number = ledger_.number(tag);
  // Also refuses a slice that leaves the source, before anything is entered.
  plan_exchange(tags_[number].spec->geometry, group_.rank(), part, source.strides);
  const std::uint64_t epoch = ledger_.submit(number, order);
  on.record(*source_ready_);
  stream_->wait(*source_ready_);
  pieces_.push_back({number, part, source});
  if (order == submit_order::last || packing_ == packing::each_submit) move_pieces(epoch, tag);
}

slice packed_exchanger::part_on(int rank, const piece& of) const {
  const tensor_geometry& tensor = tags_[of.tag].spec->geometry;
  return of.part == tensor.whole_source(group_.rank()) ? tensor.whole_source(rank) : of.part;
}

void packed_exchanger::move_pieces(std::uint64_t epoch, std::string_view completing_tag) {
  const auto size = static_cast<std::size_t>(group_.size());
  // A chunk holds its pieces in the order of submission, each as the sender's plan lists it.
  std::vector<std::vector<std::vector<pitched_copy>>> sent(size);  // [peer][piece]
  std::vector<std::vector<std::vector<pitched_copy>>> received(size);
  std::vector<std::size_t> send_bytes(size), receive_bytes(size);
  for (std::size_t peer = 0; peer < size; ++peer) {
    for (const piece& each : pieces_) {
      const tensor_geometry& tensor = tags_[each.tag].spec->geometry;
      auto& out = sent[peer].emplace_back(
          plan_exchange(tensor, group_.rank(), each.part, each.source.strides));
      std::erase_if(out, [&](const pitched_copy& c) { return c.peer != static_cast<int>(peer); });
      auto& in = received[peer].emplace_back(
          plan_exchange(tensor, static_cast<int>(peer), part_on(static_cast<int>(peer), each),
                        tensor.contiguous_source(static_cast<int>(peer))));
      std::erase_if(in, [&](const pitched_copy& c) { return c.peer != group_.rank(); });
      for (const pitched_copy& copy : out) send_bytes[peer] += copy.bytes();
      for (const pitched_copy& copy : in) receive_bytes[peer] += copy.bytes();
    }
  }

  const std::string obstacle = transport_->why_not(send_bytes, receive_bytes);
  if (!obstacle.empty()) throw exchange_broken("this slice can't be sent: " + obstacle);

  std::vector<kernels::copy_region> pack, relayout;
  std::byte* packed = send_->data();
  const std::byte* unpacked = receive_->data();
  for (std::size_t peer = 0; peer < size; ++peer) {
    for (std::size_t each = 0; each < pieces_.size(); ++each) {
      for (const pitched_copy& copy : sent[peer][each]) {
        pack.push_back({pieces_[each].source.data + copy.source_offset, copy.source_pitch, packed,
                        copy.width, copy.width, copy.height});
        packed += copy.bytes();
      }
      std::byte* const target = tags_[pieces_[each].tag].current->mine->data();
      for (const pitched_copy& copy : received[peer][each]) {
        relayout.push_back({unpacked, copy.width, target + copy.target_offset, copy.target_pitch,
                            copy.width, copy.height});
        unpacked += copy.bytes();
      }
    }
  }

  const operation_label label{completing_tag, -1, epoch};
  for (const piece& each : pieces_) {
    if (tags_[each.tag].released) stream_->wait(*tags_[each.tag].released);
  }
  stream_->launch(kernels::pack(std::move(pack)), label);
  stream_->launch(
      transport_->all_to_all(send_->data(), send_bytes, receive_->data(), receive_bytes), label);
  stream_->launch(kernels::relayout(std::move(relayout)), label);
  stream_->record(*arrived_);
  pieces_.clear();
}

target_view packed_exchanger::wait(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  ledger_.wait(number);
  on.wait(*arrived_);
  const tag_state& mine = tags_[number];
  return {mine.current->mine->data(), mine.spec->geometry.target_bytes(group_.rank())};
}

void packed_exchanger::release(std::string_view tag, stream& on) {
  const std::size_t number = ledger_.number(tag);
  ledger_.release(number);
  tag_state& mine = tags_[number];
  if (!mine.released) mine.released = device_.create_event(event_timing::off);
  on.record(*mine.released);
}

bool packed_exchanger::synchronize(std::chrono::steady_clock::time_point deadline) {
  return stream_->synchronize(deadline);
}

std::size_t packed_exchanger::memory_bytes() const {
  return cache_.memory_bytes() + (send_ ? send_->size_bytes() : 0) +
         (receive_ ? receive_->size_bytes() : 0);
}

std::string packed_exchanger::diagnose() {
  return "epoch " + std::to_string(ledger_.latest()) + ": a rank did not come to the all-to-all";
}

}  // namespace ithaca
