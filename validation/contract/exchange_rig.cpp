#include "validation/contract/exchange_rig.hpp"

#include <algorithm>
#include <numeric>

#include "backend/host_wait.hpp"
#include "kernels/delay.hpp"

namespace ithaca::validation {
namespace {

struct submitted_piece {
  slice part;
  submit_order order;
};

void delay(stream& on, std::chrono::nanoseconds time) {
  if (time.count() > 0) on.launch(kernels::delay(time), {});
}

/// A tensor in pieces by rows; `order` is that of its last one.
std::vector<submitted_piece> cut(const slice& whole, std::int64_t pieces, submit_order order) {
  std::vector<submitted_piece> all;
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    slice part = whole;
    part.rows.begin = whole.rows.count * piece / pieces;
    part.rows.count = whole.rows.count * (piece + 1) / pieces - part.rows.begin;
    all.push_back({part, piece + 1 == pieces ? order : submit_order::more});
  }
  return all;
}

}  // namespace

exchange_rig::exchange_rig(contract_site& site, std::vector<tensor_spec> specs,
                           bench::projection projected)
    : site_(site),
      load_(site.on, std::move(specs), site.ranks.rank(), site.global_ranks(), projected, 0),
      exchanger_(site.make()),
      mark_(site.on.create_event(event_timing::off)),
      waited_(site.on.create_event(event_timing::off)) {
  exchanger_->prepare(load_.specs());
}

void exchange_rig::exchange(std::uint64_t iteration, const exchange_pace& pace,
                            std::vector<std::size_t> tags, const exchange_lanes& lanes) {
  if (tags.empty()) {
    tags.resize(load_.specs().size());
    std::iota(tags.begin(), tags.end(), std::size_t{0});
  }
  keep_apart();
  const auto name = [&](std::size_t place) { return load_.specs()[tags[place]].tag; };
  const auto submits_on = [&](std::size_t place) -> stream& {
    return lane(place < lanes.submit.size() ? lanes.submit[place] : lanes.fill);
  };
  const auto pieces_of = [&](std::size_t place) {
    return cut(load_.whole(tags[place]), place == 0 ? pace.pieces : 1,
               place + 1 == tags.size() ? submit_order::last : submit_order::more);
  };
  stream& fills = lane(lanes.fill);
  stream& reads = lane(lanes.read);

  if (waited_on_ && *waited_on_ != lanes.fill) fills.wait(*waited_);
  delay(fills, pace.before_submit);
  load_.fill(fills, iteration);
  for (std::size_t place = 0; place < tags.size(); ++place) order(fills, submits_on(place));
  for (std::size_t place = 0; place < tags.size(); ++place) {
    for (const auto& [part, order] : pieces_of(place)) {
      exchanger_->stage(name(place), part, load_.source(tags[place], 0), submits_on(place), order);
    }
  }
  for (std::size_t place = 0; place < tags.size(); ++place) {
    for (const auto& [part, order] : pieces_of(place)) {
      exchanger_->submit(name(place), part, load_.source(tags[place], 0), submits_on(place), order);
    }
    delay(submits_on(place), pace.between_tags);
  }
  arrived_.clear();
  for (std::size_t place = 0; place < tags.size(); ++place) {
    arrived_.push_back(exchanger_->wait(name(place), reads));
  }
  for (std::size_t place = 0; place < tags.size(); ++place) {
    exchanger_->unstage(name(place), reads);
  }
  reads.record(*waited_);
  waited_on_ = lanes.read;
  delay(reads, pace.before_check);
  for (std::size_t place = 0; place < tags.size(); ++place) {
    load_.check(reads, tags[place], arrived_[place], 0, iteration);
    load_.poison(reads, arrived_[place]);
  }
  for (std::size_t place = 0; place < tags.size(); ++place) {
    exchanger_->release(name(place), reads);
  }
}

void exchange_rig::keep_apart() {
  if (!site_.reuse_by_caller) return;
  finish();
  site_.ranks.barrier();
}

stream& exchange_rig::lane(std::size_t number) {
  while (lanes_.size() <= number) {
    lanes_.push_back(site_.on.create_stream("compute", stream_priority::normal));
  }
  return *lanes_[number];
}

void exchange_rig::order(stream& first, stream& behind) {
  if (&first == &behind) return;
  first.record(*mark_);
  behind.wait(*mark_);
}

void exchange_rig::finish() {
  const auto deadline = site_.ranks.deadline();
  watch* const by = site_.ranks.watched().get();
  const auto done = [&] {
    return std::ranges::all_of(lanes_,
                               [&](const auto& each) { return each->synchronize(deadline, by); }) &&
           exchanger_->synchronize(deadline);
  };
  require_done(site_.ranks, done, [&] { return exchanger_->diagnose(); });
}

std::int64_t exchange_rig::mismatched_bytes() {
  finish();
  return site_.ranks.sum(static_cast<std::int64_t>(load_.findings().mismatched_bytes));
}

}  // namespace ithaca::validation
