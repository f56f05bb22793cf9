#include "bench/stage/stage_sampler.hpp"

#include "backend/host_wait.hpp"
#include "bench/stage/stage_run.hpp"

namespace ithaca::bench {
namespace {

std::int64_t shift_of(std::uint64_t iteration) {
  return static_cast<std::int64_t>(iteration % (stage_sizes::window + 1));
}

}  // namespace

stage_sampler::stage_sampler(group& world, group& ulysses, start_gate& gate, exchanger& transport,
                             stage_workload& load, chosen_schedule by, bool exchanges)
    : world_(world),
      ulysses_(ulysses),
      gate_(gate),
      transport_(transport),
      load_(load),
      by_(std::move(by)),
      exchanges_(exchanges),
      begin_(load.on().create_event(event_timing::on)),
      end_(load.on().create_event(event_timing::on)) {}

std::int64_t stage_sampler::enqueue(stage_run& stage, stage_side side) {
  const std::uint64_t allocations = load_.on().allocation_count();
  const std::uint64_t collectives = ulysses_.collective_count();
  const std::uint64_t before = latest_operation_id();
  stage.only(side);
  stage.run();
  arrived_.clear();
  for (int part = 0; part < by_.what->head_parts; ++part) {
    for (const qkv_tensor tensor : all_qkv) {
      arrived_.push_back(
          transport_.wait(tag_of(tensor, part, by_.what->head_parts), load_.compute()));
    }
  }
  operations_ = {before + 1, latest_operation_id()};
  allocations_ += load_.on().allocation_count() - allocations;
  collectives_ += ulysses_.collective_count() - collectives;
  return stage.submit_ns();
}

void stage_sampler::conclude(std::int64_t shift) {
  const int parts = by_.what->head_parts;
  std::size_t at = 0;
  for (int part = 0; part < parts; ++part) {
    for (const qkv_tensor tensor : all_qkv) {
      const target_view& arrived = arrived_[at++];
      if (exchanges_) load_.check(tensor, part, parts, arrived, shift);
      load_.poison(arrived);
    }
  }
  for (int part = 0; part < parts; ++part) {
    for (const qkv_tensor tensor : all_qkv) {
      transport_.release(tag_of(tensor, part, parts), load_.compute());
    }
  }
}

void stage_sampler::finish() {
  require_done(
      world_,
      [&] { return load_.compute().synchronize(world_.deadline(), world_.watched().get()); },
      [&] { return transport_.diagnose(); });
}

sample stage_sampler::take(exchange_mode mode, std::uint64_t iteration) {
  const std::int64_t shift = shift_of(iteration);
  stage_run stage(load_, transport_, by_, shift);
  stage_side side = stage_side::both;
  if (mode == exchange_mode::communication_only) {
    stage.only(stage_side::computation);
    stage.run();
    side = stage_side::communication;
  }
  finish();  // so that all ranks stand at the gate when it opens
  gate_.hold(load_.compute());
  load_.compute().record(*begin_);
  const std::int64_t submit_ns = enqueue(stage, side);
  load_.compute().record(*end_);
  conclude(shift);
  gate_.open();
  finish();
  return {world_.maximum(end_->elapsed_ns_since(*begin_)), world_.maximum(submit_ns)};
}

void stage_sampler::warm_up(std::uint64_t iteration) {
  const std::int64_t shift = shift_of(iteration);
  stage_run stage(load_, transport_, by_, shift);
  world_.barrier();
  enqueue(stage, stage_side::both);
  conclude(shift);
  finish();
  world_.barrier();
  allocations_ = 0;
  collectives_ = 0;
}

}  // namespace ithaca::bench
