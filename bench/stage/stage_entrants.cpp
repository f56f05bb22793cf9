#include "bench/stage/stage_entrants.hpp"

#include <algorithm>

#include "backend/errors.hpp"
#include "bench/arms/table.hpp"
#include "bench/stage/idle_exchanger.hpp"
#include "bench/stage/schedule.hpp"
#include "bench/stage/search_grid.hpp"
#include "reports/best_schedules.hpp"
#include "reports/report_file.hpp"

namespace ithaca::bench {
namespace {

constexpr const char* tuning = "tune";

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
  for (const std::string& name : select_arms(wanted)) {
    const arm* what = find_arm(name);
    if (what->runs_on(kind) || !all) arms.push_back(what);
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
  if (options.tuned) return {reference_schedule};
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
  for (const std::string& schedule : schedules) {
    for (const arm* each : arms) add(std::string(each->name), *each, whole, schedule);
    add(no_arm, idle_arm(), {exchange_mode::compute_only}, schedule);
  }
  for (const reports::cell_key& best : tuned_cells(options)) {
    const auto chosen = std::ranges::find(arms, best.arm, &arm::name);
    if (chosen == arms.end()) continue;
    const std::string schedule = parse_schedule(best.schedule).text();
    add(best.arm, **chosen, whole, schedule);
    add(no_arm, idle_arm(), {exchange_mode::compute_only}, schedule);
  }
  const std::string name(reference.name);
  add(name, reference, whole, reference_schedule);
  add(name + "-again", reference, {exchange_mode::isolated}, reference_schedule);
  return entrants;
}

}  // namespace ithaca::bench
