#include "bench/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "backend/errors.hpp"
#include "bench/benchmark_rounds.hpp"
#include "bench/cell_comparison.hpp"
#include "bench/link_probe.hpp"
#include "bench/round_order.hpp"
#include "bench/traced_samples.hpp"
#include "bench/ways_taken.hpp"

namespace ithaca::bench {
namespace {

constexpr const char* not_judged = "the run ended before its claim was judged";

std::size_t steps_of(const campaign_plan& plan) {
  std::size_t steps = 0;
  for (const entrant& each : plan.entrants) {
    const auto modes = std::ranges::count_if(
        each.modes, [&](exchange_mode mode) { return each.what->why_not(mode).empty(); });
    steps += static_cast<std::size_t>(modes * plan.options.rounds + 1);
  }
  return plan.scenarios.size() * steps;
}

/// Back-to-back samples are too long for a trace: an isolated one speaks for them.
std::vector<exchange_mode> traced_modes(const entrant& who) {
  std::vector<exchange_mode> traced = who.modes;
  std::ranges::replace(traced, exchange_mode::pipelined, exchange_mode::isolated);
  std::ranges::sort(traced);
  traced.erase(std::ranges::unique(traced).begin(), traced.end());
  return traced;
}

/// The modes of `who` that a trace of `mode` speaks for.
std::vector<exchange_mode> judged_by(exchange_mode mode, const entrant& who) {
  std::vector<exchange_mode> judged = who.modes;
  std::erase_if(judged, [&](exchange_mode each) {
    return each != mode && !(mode == exchange_mode::isolated && each == exchange_mode::pipelined);
  });
  return judged;
}

/// What a trace's records are said to belong to.
std::string scope_of(const scenario& what, const entrant& who, exchange_mode mode) {
  std::string scope = to_string(what) + " " + who.full_name();
  if (mode != exchange_mode::isolated) scope += " " + std::string(to_string(mode));
  return scope;
}

}  // namespace

campaign::campaign(campaign_plan plan, group& world, device& on, group_splitter split,
                   reports::report so_far)
    : plan_(std::move(plan)),
      world_(world),
      device_(on),
      split_(std::move(split)),
      report_(std::move(so_far)),
      host_(world, split_),
      gate_(world, host_.ranks(), on),
      telemetry_(world, on),
      progress_(world.rank() == 0 && !plan_.options.quiet, steps_of(plan_)) {
  for (const scenario& each : plan_.scenarios) {
    obstacles_.push_back(why_not(each));
    if (!obstacles_.back().empty() && each.what.by_name) {
      throw invalid_use(to_string(each) + " can't run: " + obstacles_.back());
    }
  }
}

const reports::report& campaign::run(std::optional<run_folder> folder) {
  output_ = {std::move(folder), plan_.options.benchmark_json};
  write();
  output_.write_benchmarks(measurements_, report_.telemetry);
  const std::string unwritable = world_.all_gather_text(output_.failure()).front();
  if (!unwritable.empty()) throw invalid_use(unwritable);
  report_.links = probe_links(world_, host_, device_, gate_);
  probe_kernels();
  try {
    for (std::size_t index = 0; index < plan_.scenarios.size(); ++index) {
      if (obstacles_[index].empty())
        time_scenario(plan_.scenarios[index]);
      else
        skip(plan_.scenarios[index], obstacles_[index]);
      write();
    }
    for (std::size_t index = 0; index < plan_.scenarios.size(); ++index) {
      if (obstacles_[index].empty()) trace_scenario(plan_.scenarios[index]);
    }
  } catch (...) {
    write();
    throw;
  }
  finish_cells(
      measurements_,
      {*report_.run.reference_arm, plan_.reference_schedule, plan_.sampled.compares_schedules},
      telemetry_.so_far());
  output_.write_trace(timeline_, report_);
  output_.write_benchmarks(measurements_, report_.telemetry);
  report_.run.complete = output_.failure().empty();
  write();
  return report_;
}

// ---- before -------------------------------------------------------------------------------------

ulysses_site& campaign::site(int degree) {
  auto& found = sites_[degree];
  if (!found) {
    found = std::make_unique<ulysses_site>(world_, device_, split_, degree);
    found->site().nccl_file = plan_.nccl_file;
    if (plan_.options.push_ctas) found->site().push_ctas = *plan_.options.push_ctas;
  }
  return *found;
}

void campaign::probe_kernels() {
  if (plan_.sampled.probe_kernels == nullptr) return;
  const auto first = std::ranges::find(obstacles_, "");
  if (first == obstacles_.end()) return;
  const auto index = static_cast<std::size_t>(first - obstacles_.begin());
  // They are no part of any cell: where there is no room for them, or a kernel does not take the
  // shape, the rest is still worth measuring. A device that breaks ends the run here as elsewhere.
  bool measured = true;
  try {
    report_.kernels = plan_.sampled.probe_kernels(plan_.scenarios[index], device_);
  } catch (const invalid_use&) {
    measured = false;
  } catch (const std::logic_error&) {
    measured = false;
  }
  if (!world_.agree(measured)) report_.kernels.clear();
}

void campaign::measure_crossover(int degree) {
  const bool needed = std::ranges::any_of(
      plan_.entrants, [](const entrant& each) { return each.what->needs_crossover; });
  if (!needed || crossovers_.contains(degree)) return;
  const probed_crossover found = probe_crossover(world_, site(degree), gate_);
  site(degree).site().crossover_bytes = found.bytes;
  crossovers_.emplace(degree, found);
}

std::string campaign::why_not(const scenario& what) {
  if (std::string reason = plan_.sampled.why_not(what); !reason.empty()) return reason;
  // Bounded, so that the sum over all ranks stays a number.
  constexpr std::size_t too_much = std::size_t{1} << 52;
  const auto needed = static_cast<std::int64_t>(std::min(
      too_much,
      plan_.sampled.required_bytes(what, plan_.entrants, site(what.degree).ranks().rank())));
  const auto available = static_cast<std::int64_t>(device_.free_bytes() / 10 * 9);
  // The ranks of a host draw on the same memory; each GPU has its own.
  const bool shared = device_.kind() != device_kind::cuda;
  const std::int64_t all_needed = shared ? host_.ranks().sum(needed) : needed;
  const std::int64_t missing = world_.maximum(all_needed - available);
  if (missing <= 0) return "";
  return "its tensors need " + std::to_string(missing >> 20) +
         " MiB more memory than is free: use a smaller shape, or fewer arms at a time";
}

void campaign::skip(const scenario& what, const std::string& reason) {
  for (const entrant& each : plan_.entrants) {
    for (const exchange_mode mode : each.modes) {
      measurements_.push_back({{key(what, each, mode), reports::cell_status::skipped, reason}, {}});
    }
  }
}

reports::cell_key campaign::key(const scenario& what, const entrant& who,
                                exchange_mode mode) const {
  return {report_.run.command,
          std::string(to_string(device_.kind())),
          what.what.chosen.name,
          std::string(to_string(what.type)),
          what.degree,
          who.schedule,
          who.name,
          std::string(to_string(mode))};
}

// ---- timed --------------------------------------------------------------------------------------

void campaign::time_scenario(const scenario& what) {
  measure_crossover(what.degree);
  whereabouts here(world_, to_string(what));
  const auto made = plan_.sampled.prepare(what, plan_.entrants, site(what.degree), world_, gate_);
  prepared_scenario& ready = *made;
  for (const auto& who : ready.contenders()) {
    if (who->ready()) {
      here.turn_to(*who);
      who->samples().warm_up(++iteration_);
      who->samples().warm_up(++iteration_);
      telemetry_.settle_clocks_once([&] { who->samples().warm_up(++iteration_); });
    }
    for (const exchange_mode mode : who->who().modes) add_measurement(what, ready, *who, mode);
    blame_for_warm_up(what, ready, who->who());
  }
  const std::string& nccl = site(what.degree).site().nccl_version;
  if (!nccl.empty()) report_.machine.nccl = nccl;
  telemetry_.begin_scenario(what);
  time_rounds(what, ready, here);
  // Frees the targets only when nobody writes into them any more.
  world_.barrier();
}

std::string campaign::why_not(const scenario& what, const prepared_scenario& ready, contender& who,
                              exchange_mode mode) {
  if (!who.ready()) return who.reason();
  if (std::string reason = who.what().why_not(mode); !reason.empty()) return reason;
  if (device_.kind() == device_kind::sim) return "";  // its streams take any number
  // What a sample enqueues on one stream, and rather too much: signals of releases are on another.
  const bool is_pipelined = mode == exchange_mode::pipelined;
  const traces::claim claimed =
      ready.claim(who, is_pipelined ? exchange_mode::isolated : mode,
                  site(what.degree).ranks().rank(), who.transport().taken().name);
  const std::uint64_t times = is_pipelined ? ready.checked_exchanges(mode) : 1;
  // Copies to peers and those of the own chunk are on streams of their own.
  const std::uint64_t copies = std::max(claimed.peer_copies.count, claimed.local_copies.count);
  const std::int64_t most = world_.maximum(
      static_cast<std::int64_t>(times * (copies + claimed.signal_writes + claimed.signal_waits)));
  if (most <= start_gate::most_operations_behind) return "";
  return fmt::format(
      "a sample of it enqueues {} operations at once, and a stream takes no more than about a "
      "thousand: use fewer batches",
      most);
}

void campaign::add_measurement(const scenario& what, prepared_scenario& ready, contender& who,
                               exchange_mode mode) {
  measurement made;
  made.cell.key = key(what, who.who(), mode);
  const std::string obstacle = why_not(what, ready, who, mode);
  if (!obstacle.empty()) {
    made.cell.status = reports::cell_status::skipped;
    made.cell.reason = obstacle;
    measurements_.push_back(std::move(made));
    return;
  }
  made.cell.status = reports::cell_status::incomplete;
  made.cell.reason = not_judged;
  const exchange_way way = who.transport().taken();
  // Groups of their own may have come to different ways.
  if (!way.name.empty()) {
    made.cell.way = ways_taken(world_.all_gather_text(way.name + ": " + way.why));
  }
  reports::cell_inputs& inputs = made.inputs;
  inputs = ready.facts(who, mode, ++iteration_);
  inputs.seed = plan_.options.seed;
  // Its way was chosen by exchanges that must have been right too.
  if (who.what().needs_crossover) {
    made.cell.checked.mismatched_bytes = crossovers_.at(what.degree).mismatched_bytes;
  }
  // Between hosts no ceiling was measured.
  const auto gbps = reports::slowest_gbps(report_.links);
  if (gbps && world_.agree(site(what.degree).ranks().why_not_one_host().empty())) {
    inputs.ceiling_bytes_per_second = *gbps * 1e9;
  }
  measurements_.push_back(std::move(made));
}

void campaign::blame_for_warm_up(const scenario& what, prepared_scenario& ready,
                                 const entrant& who) {
  const auto wrong = static_cast<std::uint64_t>(
      world_.sum(static_cast<std::int64_t>(ready.findings().mismatched_bytes)));
  ready.reset_findings();
  for (const exchange_mode mode : who.modes) {
    find(measurements_, key(what, who, mode))->cell.checked.mismatched_bytes += wrong;
  }
  blame_for_disorder(what, who);
}

std::string campaign::missing_order() {
  if (!plan_.watch_order) return "";
  return world_.all_gather_text(world_.rank() == 0 ? plan_.watch_order() : "").front();
}

void campaign::blame_for_disorder(const scenario& what, const entrant& who) {
  const std::string missing = missing_order();
  if (missing.empty()) return;
  for (const exchange_mode mode : who.modes) {
    std::string& known = find(measurements_, key(what, who, mode))->disorder;
    if (known.empty()) known = missing;
  }
}

void campaign::time_rounds(const scenario& what, prepared_scenario& ready, whereabouts& here) {
  struct timed_cell {
    contender* who;
    exchange_mode mode;
    reports::sample_matrix::round round;
  };
  std::vector<timed_cell> cells;
  for (const auto& who : ready.contenders()) {
    if (!who->ready()) continue;
    for (const exchange_mode mode : who->who().modes) {
      if (find(measurements_, key(what, who->who(), mode))->cell.status !=
          reports::cell_status::skipped) {
        cells.push_back({who.get(), mode, {}});
      }
    }
  }

  std::vector<round_entry> entries;
  std::vector<std::vector<double>*> cpu_seconds_of;  // by entry: its cell's
  const auto rounds = balanced_rounds(cells.size(), static_cast<std::size_t>(plan_.options.rounds),
                                      plan_.options.seed);
  for (const std::vector<std::size_t>& order : rounds) {
    for (const std::size_t index : order) {
      timed_cell& cell = cells[index];
      const reports::cell_key of = key(what, cell.who->who(), cell.mode);
      cpu_seconds_of.push_back(&find(measurements_, of)->cpu_seconds);
      entries.push_back({reports::to_string(of),
                         [this, &cell, &here, of] {
                           here.turn_to(*cell.who);
                           const sample taken = cell.who->samples().take(cell.mode, ++iteration_);
                           cell.round.push_back(taken.elapsed_ns);
                           find(measurements_, of)->inputs.submit_ns.push_back(taken.submit_ns);
                           return taken.elapsed_ns;
                         },
                         [this, &cell, &ready, of, last = index == order.back()] {
                           finish_round(ready, *cell.who, cell.mode, *find(measurements_, of),
                                        std::exchange(cell.round, {}));
                           if (last) telemetry_.end_round();
                         }});
    }
  }
  const bool shares_process = device_.kind() == device_kind::sim && world_.rank() != 0;
  run_benchmark_rounds(entries, plan_.options.iterations,
                       shares_process ? sample_loop::plain : sample_loop::google_benchmark,
                       [&](std::size_t done, double cpu_seconds) {
                         cpu_seconds_of[done - 1]->push_back(cpu_seconds);
                         progress_.advance(entries[done - 1].name);
                       });
}

void campaign::finish_round(prepared_scenario& ready, contender& who, exchange_mode mode,
                            measurement& of, reports::sample_matrix::round round) {
  reports::checked_bytes& checked = of.cell.checked;
  const auto exchanges = round.size() * ready.checked_exchanges(mode);
  checked.exchanges += exchanges;
  checked.bytes +=
      exchanges *
      static_cast<std::uint64_t>(world_.sum(static_cast<std::int64_t>(ready.checked_bytes(mode))));
  checked.mismatched_bytes += static_cast<std::uint64_t>(
      world_.sum(static_cast<std::int64_t>(ready.findings().mismatched_bytes)));
  ready.reset_findings();
  if (std::string missing = missing_order(); of.disorder.empty()) of.disorder = std::move(missing);
  of.inputs.samples.add_round(std::move(round));
  of.cell.counts.allocations_after_warmup = static_cast<std::uint64_t>(
      world_.sum(static_cast<std::int64_t>(who.samples().allocations())));
  of.cell.counts.host_collectives_after_warmup = static_cast<std::uint64_t>(
      world_.sum(static_cast<std::int64_t>(who.samples().collectives())));
}

// ---- traced -------------------------------------------------------------------------------------

void campaign::trace_scenario(const scenario& what) {
  whereabouts here(world_, "traced " + to_string(what));
  const auto ready = plan_.sampled.prepare(what, plan_.entrants, site(what.degree), world_, gate_);
  for (const auto& who : ready->contenders()) {
    if (who->ready()) {
      here.turn_to(*who);
      for (const exchange_mode mode : traced_modes(who->who())) {
        trace_contender(what, *ready, *who, mode);
      }
    }
    progress_.advance("traced " + to_string(what) + " " + who->who().full_name());
  }
  world_.barrier();
}

void campaign::trace_contender(const scenario& what, prepared_scenario& ready, contender& who,
                               exchange_mode mode) {
  traced_samples seen = trace_samples(world_, site(what.degree), ready, who, mode,
                                      scope_of(what, who.who(), mode), iteration_);
  blame_for_disorder(what, who.who());
  timeline_.insert(timeline_.end(), seen.records.begin(), seen.records.end());
  for (const exchange_mode judged : judged_by(mode, who.who())) {
    measurement& of = *find(measurements_, key(what, who.who(), judged));
    if (of.cell.status == reports::cell_status::skipped) continue;
    seen.counts.allocations_after_warmup = of.cell.counts.allocations_after_warmup;
    seen.counts.host_collectives_after_warmup = of.cell.counts.host_collectives_after_warmup;
    of.cell.counts = seen.counts;
    of.overlap = seen.overlap;
    if (!seen.refutation.empty())
      of.cell.refute(seen.refutation);
    else if (!seen.failure.empty())
      of.cell.reason = seen.failure;
    else
      of.cell.reason.reset();
  }
}

// ---- after --------------------------------------------------------------------------------------

void campaign::write() {
  report_.telemetry = telemetry_.so_far();
  report_.cells.clear();
  for (const measurement& of : measurements_) {
    reports::cell& cell = report_.cells.emplace_back(of.cell);
    if (cell.status != reports::cell_status::refuted) cell.samples = of.inputs.samples;
  }
  output_.write_report(report_);
}

}  // namespace ithaca::bench
