#include "bench/stage/stage_entrants.hpp"

#include <algorithm>

#include "bench/arms/table.hpp"
#include "bench/nearest_name.hpp"
#include "bench/stage/idle_exchanger.hpp"
#include "bench/stage/schedule.hpp"

namespace ithaca::bench {
namespace {

const arm& idle_arm() {
  static const arm idle = {no_arm,
                           "the computation alone",
                           {device_kind::cuda, device_kind::host},
                           [](arm_site& site) -> std::unique_ptr<exchanger> {
                             return std::make_unique<idle_exchanger>(site.on);
                           },
                           [](const claimed_exchange&) { return traces::claim{}; },
                           1};
  return idle;
}

/// Those that a model could use as they are, where nobody chose: all arms in all schedules are
/// many.
std::vector<std::string> usual_arms(device_kind kind) {
  if (kind == device_kind::cuda) {
    return {"copy-engine", "push", "nccl", "nccl-per-tensor", "nccl-zero-cta"};
  }
  return {"copy-engine", "mpi"};
}

std::vector<const arm*> arms_of(const exchange_options& options, device_kind kind) {
  const std::vector<std::string> wanted = options.arms.empty() ? usual_arms(kind) : options.arms;
  const bool all = std::ranges::find(wanted, "all") != wanted.end();
  std::vector<const arm*> arms;
  for (const std::string& name : select_names("arm", wanted, arm_names())) {
    const arm* what = find_arm(name);
    if (what->runs_on(kind) || !all) arms.push_back(what);
  }
  return arms;
}

std::vector<std::string> schedules_of(const exchange_options& options) {
  std::vector<std::string> texts;
  for (const std::string& each : options.schedules) {
    const std::string text = parse_schedule(each).text();
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

}  // namespace

std::vector<entrant> stage_entrants(const exchange_options& options, device_kind kind,
                                    const arm& reference) {
  const std::vector whole = {exchange_mode::isolated, exchange_mode::communication_only};
  const std::vector<std::string> schedules = schedules_of(options);
  std::vector<entrant> entrants;
  for (const std::string& schedule : schedules) {
    for (const arm* each : arms_of(options, kind)) {
      entrants.push_back({std::string(each->name), each, whole, schedule});
    }
    entrants.push_back({no_arm, &idle_arm(), {exchange_mode::compute_only}, schedule});
  }
  const std::string name(reference.name);
  const auto is_reference = [&](const entrant& each) {
    return each.name == name && each.schedule == reference_schedule;
  };
  if (std::ranges::none_of(entrants, is_reference)) {
    entrants.push_back({name, &reference, whole, reference_schedule});
  }
  entrants.push_back({name + "-again", &reference, {exchange_mode::isolated}, reference_schedule});
  return entrants;
}

}  // namespace ithaca::bench
