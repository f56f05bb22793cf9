#include "validation/contract/exchange_rig.hpp"

#include <numeric>

#include "backend/errors.hpp"
#include "kernels/delay.hpp"

namespace ithaca::validation {
namespace {

struct submitted_piece {
  slice part;
  submit_order order;
};

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
      compute_(site.on.create_stream("compute", stream_priority::normal)) {
  exchanger_->prepare(load_.specs());
}

void exchange_rig::exchange(std::uint64_t iteration, const exchange_pace& pace,
                            std::vector<std::size_t> tags) {
  if (tags.empty()) {
    tags.resize(load_.specs().size());
    std::iota(tags.begin(), tags.end(), std::size_t{0});
  }
  const auto name = [&](std::size_t index) { return load_.specs()[index].tag; };
  delay(pace.before_submit);
  load_.fill(*compute_, iteration);
  const auto pieces_of = [&](std::size_t index) {
    return cut(load_.whole(index), index == tags.front() ? pace.pieces : 1,
               index == tags.back() ? submit_order::last : submit_order::more);
  };
  for (const std::size_t index : tags) {
    for (const auto& [part, order] : pieces_of(index)) {
      exchanger_->stage(name(index), part, load_.source(index, 0), *compute_, order);
    }
  }
  for (const std::size_t index : tags) {
    for (const auto& [part, order] : pieces_of(index)) {
      exchanger_->submit(name(index), part, load_.source(index, 0), *compute_, order);
    }
    delay(pace.between_tags);
  }
  arrived_.clear();
  for (const std::size_t index : tags) arrived_.push_back(exchanger_->wait(name(index), *compute_));
  for (const std::size_t index : tags) exchanger_->unstage(name(index), *compute_);
  delay(pace.before_check);
  for (std::size_t place = 0; place < tags.size(); ++place) {
    load_.check(*compute_, tags[place], arrived_[place], 0, iteration);
    load_.poison(*compute_, arrived_[place]);
  }
  for (const std::size_t index : tags) exchanger_->release(name(index), *compute_);
}

void exchange_rig::delay(std::chrono::nanoseconds time) {
  if (time.count() > 0) compute_->launch(kernels::delay(time), {});
}

void exchange_rig::finish() {
  const auto deadline = site_.ranks.deadline();
  if (!compute_->synchronize(deadline) || !exchanger_->synchronize(deadline)) {
    throw exchange_broken("rank " + std::to_string(site_.ranks.rank()) + " waited " +
                          std::to_string(site_.ranks.timeout().count()) +
                          " ms in vain: " + exchanger_->diagnose());
  }
}

std::int64_t exchange_rig::mismatched_bytes() {
  finish();
  return site_.ranks.sum(static_cast<std::int64_t>(load_.findings().mismatched_bytes));
}

}  // namespace ithaca::validation
