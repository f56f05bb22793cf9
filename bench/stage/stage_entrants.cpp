#include "bench/stage/stage_entrants.hpp"

#include <algorithm>

#include "backend/errors.hpp"
#include "bench/arms/table.hpp"
#include "bench/interference/beside.hpp"
#include "bench/stage/idle_exchanger.hpp"
#include "bench/stage/schedule.hpp"
#include "bench/stage/search_grid.hpp"
#include "reports/best_schedules.hpp"
#include "reports/report_file.hpp"

namespace ithaca::bench {
namespace {

constexpr const char* sequential = "sequential";
constexpr const char* tuning = "tune";
constexpr const char* ablating = "ablation";
/// What an ablation takes apart where nobody says it: the article's schedule, and what it is made
/// of.
const std::vector<std::string> ablated_schedules = {"v-first", "v-first:own=produced",
                                                    "sequential"};

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

/// Everything that the copy engine's exchanger can do otherwise.
std::vector<std::string> ablated_arms() {
  return {"copy-engine",          "copy-engine-ipc",    "copy-engine-naive",
          "copy-engine-paced",    "copy-engine-staged", "copy-engine-n-buffers",
          "copy-engine-external", "ablations"};
}

std::vector<const arm*> arms_of(const exchange_options& options, device_kind kind) {
  std::vector<std::string> wanted = options.arms;
  if (wanted.empty()) wanted = options.command == ablating ? ablated_arms() : usual_arms(kind);
  const bool all = std::ranges::find(wanted, "all") != wanted.end();
  std::vector<const arm*> arms;
  for (const std::string& name : select_arms(wanted)) {
    const arm* what = find_arm(name);
    if ((what->runs_on(kind) && !what->bare) || !all) arms.push_back(what);
  }
  return arms;
}

std::vector<std::string> canonical(const std::vector<std::string>& schedules) {
  std::vector<std::string> texts;
  for (const std::string& each : schedules) {
    const std::string text = parse_schedule(each).text();
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> chosen_schedules(const exchange_options& options) {
  if (!options.schedules.empty()) return canonical(options.schedules);
  if (options.command == tuning) return search_grid();
  if (options.command == ablating) return ablated_schedules;
  if (options.tuned) return {sequential};
  return {default_schedules.begin(), default_schedules.end()};
}

std::vector<reports::cell_key> tuned_cells(const exchange_options& options) {
  if (!options.tuned) return {};
  try {
    const auto best = reports::best_schedules(reports::read_report(*options.tuned));
    if (best.empty()) {
      throw invalid_use(options.tuned->string() +
                        " holds no stage that was measured: give a report of 'ithaca-bench tune'");
    }
    return best;
  } catch (const std::invalid_argument& refused) {
    throw invalid_use(refused.what());
  }
}

}  // namespace

std::string reference_schedule(const exchange_options& options) {
  return options.command == ablating ? chosen_schedules(options).front() : sequential;
}

std::vector<entrant> stage_entrants(const exchange_options& options, device_kind kind,
                                    const arm& reference) {
  std::vector whole = {exchange_mode::isolated};
  if (options.command != tuning) whole.push_back(exchange_mode::communication_only);
  std::vector<entrant> entrants;
  const auto add = [&](const std::string& name, const arm& what,
                       const std::vector<exchange_mode>& modes, const std::string& schedule) {
    const auto same = [&](const entrant& each) {
      return each.name == name && each.schedule == schedule;
    };
    if (std::ranges::none_of(entrants, same)) entrants.push_back({name, &what, modes, schedule});
  };
  const std::vector<const arm*> arms = arms_of(options, kind);
  const std::vector<std::string> schedules = chosen_schedules(options);
  const std::string name(reference.name);
  const std::string of_reference = reference_schedule(options);
  for (const std::string& schedule : schedules) {
    const bool one_arm = options.command == ablating && schedule != of_reference;
    for (const arm* each : arms) {
      if (!one_arm || each == &reference) add(std::string(each->name), *each, whole, schedule);
    }
    add(no_arm, idle_arm(), {exchange_mode::compute_only}, schedule);
  }
  for (const reports::cell_key& best : tuned_cells(options)) {
    const auto chosen = std::ranges::find(arms, best.arm, &arm::name);
    if (chosen == arms.end()) continue;
    const std::string schedule = parse_schedule(best.schedule).text();
    add(best.arm, **chosen, whole, schedule);
    add(no_arm, idle_arm(), {exchange_mode::compute_only}, schedule);
  }
  add(name, reference, whole, of_reference);
  add(name + "-again", reference, {exchange_mode::isolated}, of_reference);
  return entrants;
}

std::vector<entrant> interference_entrants(const exchange_options& options, device_kind kind,
                                           const arm& reference) {
  const std::vector sampled = {exchange_mode::isolated, exchange_mode::communication_only,
                               exchange_mode::exchange_beside};
  std::vector<const arm*> arms = arms_of(options, kind);
  if (std::ranges::find(arms, &reference) == arms.end()) arms.push_back(&reference);
  std::vector<entrant> entrants;
  for (const beside what : all_beside) {
    const std::string computed(to_string(what));
    for (const arm* each : arms) {
      entrants.push_back({std::string(each->name), each, sampled, computed});
    }
    entrants.push_back({std::string(reference.name) + "-again", &reference, sampled, computed});
    entrants.push_back({no_arm, &idle_arm(), {exchange_mode::compute_only}, computed});
  }
  return entrants;
}

}  // namespace ithaca::bench
