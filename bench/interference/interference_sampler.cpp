#include "bench/interference/interference_sampler.hpp"

#include <algorithm>

#include "backend/host_wait.hpp"

namespace ithaca::bench {
namespace {

/// Long enough that what one launch costs does not count.
constexpr std::int64_t timed_ns = 2'000'000;
constexpr std::int64_t most_computations = 64;

/// As many exchanges as their busiest stream takes behind the gate. To each peer go three tensors,
/// each with a wait and a signal of its own where copies are paced, and two waits and two signals.
std::int64_t most_exchanges(int degree) {
  constexpr int operations_a_peer = 3 * 3 + 4;
  return std::max(
      1, start_gate::most_operations_behind / (operations_a_peer * std::max(1, degree - 1)));
}

std::int64_t times_in(std::int64_t span_ns, std::int64_t one_ns, std::int64_t most) {
  return std::clamp<std::int64_t>((span_ns + one_ns - 1) / std::max<std::int64_t>(1, one_ns), 1,
                                  most);
}

}  // namespace

interference_sampler::interference_sampler(group& world, group& ulysses, start_gate& gate,
                                           exchanger& transport, stage_workload& load, beside what,
                                           std::int64_t& computations, bool exchanges)
    : world_(world),
      ulysses_(ulysses),
      gate_(gate),
      transport_(transport),
      load_(load),
      what_(what),
      computations_(computations),
      exchanges_(exchanges),
      exchange_stream_(load.on().create_stream("exchange", stream_priority::normal)),
      opened_(load.on().create_event(event_timing::off)),
      begin_(load.on().create_event(event_timing::on)),
      end_(load.on().create_event(event_timing::on)),
      behind_exchanges_(load.on().create_event(event_timing::off)) {}

std::int64_t interference_sampler::exchanges_in(exchange_mode mode) const {
  if (mode == exchange_mode::compute_only) return 0;
  return mode == exchange_mode::isolated ? beside_.exchanges : timed_.exchanges;
}

void interference_sampler::compute(std::int64_t times) {
  for (std::int64_t time = 0; time < times; ++time) {
    if (what_ == beside::matmul)
      load_.project_beside();
    else
      load_.normalise_beside();
  }
}

std::int64_t interference_sampler::exchange(std::int64_t times) {
  const std::uint64_t allocations = load_.on().allocation_count();
  const std::uint64_t collectives = ulysses_.collective_count();
  std::int64_t submit_ns = 0;
  for (std::int64_t time = 0; time < times; ++time) {
    const std::int64_t before_ns = load_.on().host_now_ns();
    for (const qkv_tensor tensor : {qkv_tensor::v, qkv_tensor::q, qkv_tensor::k}) {
      transport_.submit(to_string(tensor),
                        {{0, load_.sizes().rows(load_.rank())}, {0, load_.sizes().heads(tensor)}},
                        load_.source(tensor, 0), *exchange_stream_,
                        tensor == qkv_tensor::k ? submit_order::last : submit_order::more);
    }
    submit_ns += load_.on().host_now_ns() - before_ns;
    const bool is_last = time + 1 == times;
    for (const qkv_tensor tensor : all_qkv) {
      const target_view arrived = transport_.wait(to_string(tensor), *exchange_stream_);
      if (is_last) arrived_[index_of(tensor)] = arrived;
    }
    if (is_last) break;
    for (const qkv_tensor tensor : all_qkv) {
      transport_.release(to_string(tensor), *exchange_stream_);
    }
  }
  allocations_ += load_.on().allocation_count() - allocations;
  collectives_ += ulysses_.collective_count() - collectives;
  return times == 0 ? 0 : submit_ns / times;
}

void interference_sampler::conclude() {
  load_.compute().wait(*behind_exchanges_);
  for (const qkv_tensor tensor : all_qkv) {
    const target_view& arrived = arrived_[index_of(tensor)];
    if (exchanges_) load_.check(tensor, 0, 1, arrived, 0);
    load_.poison(arrived);
  }
  for (const qkv_tensor tensor : all_qkv) transport_.release(to_string(tensor), load_.compute());
}

void interference_sampler::finish() {
  for (stream* each : {&load_.compute(), exchange_stream_.get()}) {
    require_done(
        world_, [&] { return each->synchronize(world_.deadline(), world_.watched().get()); },
        [&] { return transport_.diagnose(); });
  }
}

sample interference_sampler::run(exchange_mode mode, std::int64_t computations,
                                 std::int64_t exchanges, bool gated) {
  const bool times_computation =
      mode == exchange_mode::isolated || mode == exchange_mode::compute_only;
  finish();
  if (gated)
    gate_.hold(load_.compute());
  else
    world_.barrier();
  load_.compute().record(*opened_);
  exchange_stream_->wait(*opened_);
  stream& timed = times_computation ? load_.compute() : *exchange_stream_;
  timed.record(*begin_);
  // What is timed is enqueued first: behind an open gate the other must not be ahead by much.
  const std::uint64_t before = latest_operation_id();
  std::int64_t submit_ns = 0;
  if (times_computation) compute(computations);
  submit_ns = exchange(exchanges);
  if (!times_computation) compute(computations);
  timed.record(*end_);
  operations_ = {before + 1, latest_operation_id()};
  exchange_stream_->record(*behind_exchanges_);
  if (exchanges > 0) conclude();
  if (gated) gate_.open();
  finish();
  return {world_.maximum(end_->elapsed_ns_since(*begin_)), world_.maximum(submit_ns)};
}

sample interference_sampler::take(exchange_mode mode, std::uint64_t) {
  switch (mode) {
    case exchange_mode::compute_only:
      return run(mode, timed_.computations, 0, true);
    case exchange_mode::communication_only:
      return run(mode, 0, timed_.exchanges, true);
    case exchange_mode::exchange_beside:
      return run(mode, beside_.computations, timed_.exchanges, true);
    default:
      return run(mode, timed_.computations, exchanges_in(mode), true);
  }
}

void interference_sampler::choose_repetitions() {
  constexpr std::int64_t trial = 4;
  run(exchange_mode::compute_only, trial, 0, false);
  const std::int64_t computation_ns = std::max<std::int64_t>(
      1, run(exchange_mode::compute_only, trial, 0, false).elapsed_ns / trial);
  run(exchange_mode::communication_only, 0, trial, false);
  const std::int64_t exchange_ns = std::max<std::int64_t>(
      1, run(exchange_mode::communication_only, 0, trial, false).elapsed_ns / trial);
  const std::int64_t exchanges = most_exchanges(ulysses_.size());
  if (computations_ == 0) computations_ = times_in(timed_ns, computation_ns, most_computations);
  timed_ = {computations_, times_in(timed_ns, exchange_ns, exchanges)};
  // Twice as long as what is timed would take alone: it may be slowed down.
  beside_ = {times_in(2 * timed_.exchanges * exchange_ns, computation_ns, most_computations),
             times_in(2 * timed_.computations * computation_ns, exchange_ns, exchanges)};
}

void interference_sampler::warm_up(std::uint64_t) {
  if (!chosen_) choose_repetitions();
  chosen_ = true;
  run(exchange_mode::isolated, 1, 1, false);
  world_.barrier();
  allocations_ = 0;
  collectives_ = 0;
}

}  // namespace ithaca::bench
