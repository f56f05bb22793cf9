#include "bench/cell_comparison.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "bench/entrant.hpp"
#include "bench/exchange_mode.hpp"
#include "reports/metrics.hpp"
#include "reports/statistics.hpp"
#include "reports/throttling.hpp"

namespace ithaca::bench {
namespace {

class cell_comparison {
 public:
  cell_comparison(std::vector<measurement>& cells, const comparison_rules& rules,
                  const reports::telemetry& telemetry)
      : cells_(cells), rules_(rules), telemetry_(telemetry) {}

  void finish() {
    for (measurement& of : cells_) {
      const reports::checked_bytes& checked = of.cell.checked;
      if (checked.mismatched_bytes > 0) {
        of.cell.refute(std::to_string(checked.mismatched_bytes) + " of " +
                       std::to_string(checked.bytes) + " checked bytes were wrong");
      }
      if (!of.disorder.empty()) of.cell.refute(of.disorder);
    }
    // A refuted cell is nobody's reference, so these come when all are judged.
    const std::size_t comparisons = compare_cells();
    for (measurement& of : cells_) {
      if (!of.can_be_finished()) continue;
      of.inputs.comparisons = std::max<std::size_t>(1, comparisons);
      of.cell.status = reports::cell_status::measured;
      of.cell.metrics =
          reports::compute_metrics(reports::without_discarded(of.inputs, of.cell.key, telemetry_));
      if (of.overlap) of.cell.overlap = compared_overlap(of);
    }
  }

 private:
  /// Gives every cell that can be finished the samples of those that it is compared with, and
  /// counts the comparisons.
  std::size_t compare_cells() {
    std::size_t comparisons = 0;
    const auto compare = [&](const measurement& of, const measurement* with) {
      if (!with) return std::optional<reports::sample_matrix>();
      if (with != &of) ++comparisons;
      return std::optional(with->inputs.samples);
    };
    for (measurement& of : cells_) {
      if (!of.can_be_finished()) continue;
      of.inputs.reference = compare(of, reference_of(of.cell.key));
      of.inputs.compute_only = compare(of, quickest_computation(of.cell.key));
      of.inputs.communication_only = compare(of, communication_alone(of.cell.key));
    }
    return comparisons;
  }

  /// What a cell's speedup refers to; null if that was not measured.
  const measurement* reference_of(reports::cell_key of) const {
    of.arm = rules_.reference_arm;
    if (!rules_.reference_schedule.empty()) of.schedule = rules_.reference_schedule;
    const measurement* found = find(cells_, of);
    return found && found->can_be_compared_with() ? found : nullptr;
  }

  /// Of a stage, the computation alone that took the least time under any schedule; null for other
  /// cells.
  const measurement* quickest_computation(const reports::cell_key& of) const {
    const measurement* quickest = nullptr;
    if (of.mode != to_string(exchange_mode::isolated)) return nullptr;
    const auto median_ns = [](const measurement& m) {
      return reports::median(m.inputs.samples.round_medians_ns().front());
    };
    for (const measurement& each : cells_) {
      reports::cell_key scenario = each.cell.key;
      if (scenario.mode != to_string(exchange_mode::compute_only)) continue;
      if (rules_.compares_schedules) scenario.schedule = of.schedule;
      scenario.arm = of.arm;
      scenario.mode = of.mode;
      if (scenario != of || !each.can_be_compared_with()) continue;
      if (!quickest || median_ns(each) < median_ns(*quickest)) quickest = &each;
    }
    return quickest;
  }

  /// The same exchanges alone, of those beside a computation; null for other cells.
  const measurement* communication_alone(reports::cell_key of) const {
    if (of.mode != to_string(exchange_mode::exchange_beside)) return nullptr;
    of.mode = to_string(exchange_mode::communication_only);
    const measurement* found = find(cells_, of);
    return found && found->can_be_compared_with() ? found : nullptr;
  }

  /// A cell's overlap, with that of its parts alone beside it.
  reports::overlap_figures compared_overlap(const measurement& of) const {
    const auto alone = [&](exchange_mode mode, const std::string& arm) {
      reports::cell_key part = of.cell.key;
      part.mode = to_string(mode);
      part.arm = arm;
      const measurement* found = find(cells_, part);
      return found ? found->overlap : std::nullopt;
    };
    // Where computation and exchange go over and over, their parts alone are of other lengths.
    const bool has_parts =
        rules_.compares_schedules && of.cell.key.mode == to_string(exchange_mode::isolated);
    if (!has_parts) return *of.overlap;
    return reports::compared(*of.overlap, alone(exchange_mode::compute_only, no_arm),
                             alone(exchange_mode::communication_only, of.cell.key.arm));
  }

  std::vector<measurement>& cells_;
  const comparison_rules& rules_;
  const reports::telemetry& telemetry_;
};

}  // namespace

void finish_cells(std::vector<measurement>& cells, const comparison_rules& rules,
                  const reports::telemetry& telemetry) {
  cell_comparison(cells, rules, telemetry).finish();
}

}  // namespace ithaca::bench
