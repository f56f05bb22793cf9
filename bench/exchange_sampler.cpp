#include "bench/exchange_sampler.hpp"

#include "backend/host_wait.hpp"

namespace ithaca::bench {

exchange_sampler::exchange_sampler(group& world, group& ulysses, device& on, start_gate& gate,
                                   exchanger& arm, workload& load)
    : world_(world),
      ulysses_(ulysses),
      device_(on),
      gate_(gate),
      arm_(arm),
      load_(load),
      compute_(on.create_stream("compute", stream_priority::normal)),
      begin_(on.create_event(event_timing::on)),
      end_(on.create_event(event_timing::on)),
      arrived_(load.specs().size()) {}

void exchange_sampler::stage() {
  const auto& specs = load_.specs();
  for (std::size_t index = 0; index < specs.size(); ++index) {
    arm_.stage(specs[index].tag, load_.whole(index), load_.source(index, 0), *compute_,
               index + 1 == specs.size() ? submit_order::last : submit_order::more);
  }
}

void exchange_sampler::unstage() {
  for (const tensor_spec& spec : load_.specs()) arm_.unstage(spec.tag, *compute_);
}

std::int64_t exchange_sampler::exchange(std::int64_t shift) {
  const auto& specs = load_.specs();
  const std::uint64_t allocations = device_.allocation_count();
  const std::uint64_t collectives = ulysses_.collective_count();
  const std::int64_t before_ns = device_.host_now_ns();
  for (std::size_t index = 0; index < specs.size(); ++index) {
    arm_.submit(specs[index].tag, load_.whole(index), load_.source(index, shift), *compute_,
                index + 1 == specs.size() ? submit_order::last : submit_order::more);
  }
  const std::int64_t after_ns = device_.host_now_ns();
  for (std::size_t index = 0; index < specs.size(); ++index) {
    arrived_[index] = arm_.wait(specs[index].tag, *compute_);
  }
  allocations_ += device_.allocation_count() - allocations;
  collectives_ += ulysses_.collective_count() - collectives;
  return after_ns - before_ns;
}

void exchange_sampler::check(std::int64_t shift, std::uint64_t iteration) {
  for (std::size_t index = 0; index < arrived_.size(); ++index) {
    load_.check(*compute_, index, arrived_[index], shift, iteration);
  }
}

void exchange_sampler::release() {
  for (const tensor_spec& spec : load_.specs()) arm_.release(spec.tag, *compute_);
}

void exchange_sampler::finish() {
  require_done(
      world_, [&] { return compute_->synchronize(world_.deadline(), world_.watched().get()); },
      [&] { return arm_.diagnose(); });
}

sample exchange_sampler::take(exchange_mode mode, std::uint64_t iteration) {
  return mode == exchange_mode::pipelined ? pipelined(iteration) : isolated(iteration);
}

sample exchange_sampler::isolated(std::uint64_t iteration) {
  load_.fill(*compute_, iteration);
  stage();
  finish();  // so that all ranks stand at the gate when it opens
  gate_.hold(*compute_);
  compute_->record(*begin_);
  const std::int64_t submit_ns = exchange(0);
  compute_->record(*end_);
  unstage();
  check(0, iteration);
  for (const target_view& target : arrived_) load_.poison(*compute_, target);
  release();
  gate_.open();
  finish();
  return {world_.maximum(end_->elapsed_ns_since(*begin_)), world_.maximum(submit_ns)};
}

sample exchange_sampler::pipelined(std::uint64_t iteration) {
  load_.fill(*compute_, iteration);
  finish();
  gate_.hold(*compute_);
  compute_->record(*begin_);
  std::int64_t submit_ns = 0;
  for (std::int64_t shift = 0; shift <= load_.window(); ++shift) {
    submit_ns += exchange(shift);
    check(shift, iteration);
    release();
  }
  compute_->record(*end_);
  gate_.open();
  finish();
  return {world_.maximum(end_->elapsed_ns_since(*begin_)),
          world_.maximum(submit_ns / (load_.window() + 1))};
}

void exchange_sampler::warm_up(std::uint64_t iteration) {
  load_.fill(*compute_, iteration);
  stage();
  finish();
  world_.barrier();
  const std::int64_t before_ns = device_.host_now_ns();
  exchange(0);
  finish();
  const std::int64_t taken_ns = device_.host_now_ns() - before_ns;
  if (!first_exchange_ns_) first_exchange_ns_ = world_.maximum(taken_ns);
  unstage();
  check(0, iteration);
  for (const target_view& target : arrived_) load_.poison(*compute_, target);
  release();
  finish();
  world_.barrier();
  allocations_ = 0;
  collectives_ = 0;
}

std::int64_t exchange_sampler::checker_ns(std::uint64_t iteration) {
  load_.fill(*compute_, iteration);
  exchange(0);
  check(0, iteration);
  compute_->record(*begin_);
  check(0, iteration);
  compute_->record(*end_);
  release();
  finish();
  return world_.maximum(end_->elapsed_ns_since(*begin_));
}

}  // namespace ithaca::bench
