#include "validation/contract/graph_replays.hpp"

#include <chrono>
#include <memory>
#include <vector>

#include "kernels/delay.hpp"
#include "validation/contract/exchange_rig.hpp"

namespace ithaca::validation {
namespace {

using namespace std::chrono_literals;

const std::vector<std::size_t> scattered{0, 1, 2};
const std::vector<std::size_t> gathered{3};

std::vector<tensor_spec> layer(const contract_site& site) {
  const int degree = site.ranks.size();
  const head_layout layout(
      {1, even_shares(24 * degree, degree), 2 * degree, 2 * degree, 32, site.type});
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}},
          {"o", {layout, head_set::query, direction::gather}}};
}

/// The layer's graph, and where its reader leaves what it has read.
class captured_layer {
 public:
  /// `kept`: memory for each of the layer's targets.
  captured_layer(contract_site& site, exchange_rig& rig,
                 const std::vector<std::unique_ptr<memory>>& kept)
      : rig_(rig),
        reader_(site.on.create_stream("compute", stream_priority::normal)),
        mark_(site.on.create_event(event_timing::off)) {
    for (const auto& each : kept) kept_.push_back({each->data(), each->size_bytes()});
    stream& from = rig.compute();
    from.begin_capture();
    exchange(from, scattered);
    exchange(from, gathered);
    graph_ = from.end_capture();
  }

  void replay() { rig_.compute().replay(*graph_); }

  /// Checks what the latest replay has read.
  void check(std::uint64_t iteration) {
    for (std::size_t index = 0; index < kept_.size(); ++index) {
      rig_.load().check(rig_.compute(), index, kept_[index], 0, iteration);
    }
  }

 private:
  /// Submitted on the one stream; awaited, read and released on the other.
  void exchange(stream& from, const std::vector<std::size_t>& tags) {
    exchanger& transport = rig_.transport();
    bench::workload& load = rig_.load();
    for (const std::size_t index : tags) {
      transport.submit(load.specs()[index].tag, load.whole(index), load.source(index, 0), from,
                       index == tags.back() ? submit_order::last : submit_order::more);
    }
    order(from, *reader_);
    for (const std::size_t index : tags) {
      const std::string& tag = load.specs()[index].tag;
      const target_view arrived = transport.wait(tag, *reader_);
      const std::size_t bytes = arrived.size_bytes;
      reader_->copy({arrived.data, bytes, kept_[index].data, bytes, bytes, 1, false}, {});
      load.poison(*reader_, arrived);
      transport.release(tag, *reader_);
    }
    order(*reader_, from);
  }

  void order(stream& first, stream& behind) {
    first.record(*mark_);
    behind.wait(*mark_);
  }

  exchange_rig& rig_;
  std::unique_ptr<stream> reader_;
  std::unique_ptr<event> mark_;
  std::vector<target_view> kept_;
  std::unique_ptr<graph> graph_;
};

}  // namespace

std::string graph_replays(contract_site& site, std::uint64_t replays, between_replays beside) {
  const bool eager = beside == between_replays::eager_exchanges;
  const std::vector<tensor_spec> specs = layer(site);
  std::vector<std::unique_ptr<memory>> kept;  // outlives the streams, also when replays are stuck
  for (const tensor_spec& spec : specs) {
    kept.push_back(site.on.allocate(spec.geometry.target_bytes(site.ranks.rank())));
  }
  exchange_rig rig(site, specs);
  captured_layer layer(site, rig, kept);
  const auto size = static_cast<std::uint64_t>(site.ranks.size());
  std::uint64_t iteration = 0;
  for (std::uint64_t replay = 0; replay < replays; ++replay) {
    rig.load().fill(rig.compute(), ++iteration);
    const bool late =
        replay % 16 < size && replay % size == static_cast<std::uint64_t>(site.ranks.rank());
    if (late) rig.compute().launch(kernels::delay(200us), {});
    layer.replay();
    layer.check(iteration);
    if (eager && replay % 3 == 1) rig.exchange(++iteration, {}, scattered);
    if (eager && replay % 5 == 2) rig.exchange(++iteration, {}, gathered);
    // What is enqueued must not grow without bounds.
    if (replay % 50 == 49) rig.finish();
  }
  const std::int64_t wrong = rig.mismatched_bytes();
  return wrong == 0 ? "" : std::to_string(wrong) + " bytes are wrong";
}

}  // namespace ithaca::validation
