#include "reports/paired_cells.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>

#include "reports/object_reader.hpp"
#include "reports/throttling.hpp"

namespace ithaca::reports {
namespace {

bool same_scenario_of_any_schedule(const cell_key& a, const cell_key& b) {
  return a.command == b.command && a.device == b.device && a.shape == b.shape &&
         a.dtype == b.dtype && a.degree == b.degree;
}

bool may_be_reference(const report& in, const cell& of, const cell& with) {
  return in.run.reference_arm == with.key.arm && of.key.mode == with.key.mode;
}

bool may_be_computation(const report&, const cell& of, const cell& with) {
  return of.key.mode == isolated_mode && with.key.mode == compute_only_mode;
}

bool may_be_communication(const report&, const cell& of, const cell& with) {
  return of.key.mode == exchange_beside_mode && with.key.mode == communication_only_mode &&
         of.key.arm == with.key.arm && of.key.schedule == with.key.schedule;
}

struct ratio_metric {
  const char* name;
  bool (*may_be)(const report& in, const cell& of, const cell& with);
  bool of_is_the_dividend;
};

constexpr std::array metrics = {ratio_metric{"speedup", may_be_reference, false},
                                ratio_metric{"over_compute", may_be_computation, true},
                                ratio_metric{"over_communication", may_be_communication, true}};

/// Every cell's median of each round that counts.
std::vector<round_values> round_medians(const report& in) {
  std::vector<round_values> all;
  for (const cell& each : in.cells) {
    all.push_back(each.samples.without(discarded(in.telemetry, each.key)).round_medians_ns());
  }
  return all;
}

bool same_rounds(const round_values& a, const round_values& b) {
  if (a.size() != b.size() || a.empty()) return false;
  for (std::size_t launch = 0; launch < a.size(); ++launch) {
    if (a[launch].size() != b[launch].size()) return false;
  }
  return true;
}

class pairing {
 public:
  explicit pairing(const report& in) : in_(in), medians_(round_medians(in)) {}

  paired_cells find(const ratio_metric& metric, std::size_t of) const {
    const double value = in_.cells[of].metrics.at(metric.name).value;
    // A cell of the same schedule is the nearer one, if both fit.
    for (const bool same_schedule : {true, false}) {
      for (std::size_t with = 0; with < in_.cells.size(); ++with) {
        if (!may_be(metric, of, with, same_schedule)) continue;
        round_values ratios = metric.of_is_the_dividend
                                  ? ratios_of_rounds(medians_[of], medians_[with])
                                  : ratios_of_rounds(medians_[with], medians_[of]);
        constexpr double rounding = 1e-9;
        if (std::abs(median_ratio(ratios) / value - 1) > rounding) continue;
        return {metric.name, &in_.cells[of], &in_.cells[with], std::move(ratios)};
      }
    }
    refuse(fmt::format("cells[{}].metrics.{}", of, metric.name),
           "is not the ratio of this cell's rounds to those of any that it is compared with");
  }

 private:
  bool may_be(const ratio_metric& metric, std::size_t of, std::size_t with,
              bool same_schedule) const {
    const cell& one = in_.cells[of];
    const cell& other = in_.cells[with];
    return (one.key.schedule == other.key.schedule) == same_schedule &&
           same_scenario_of_any_schedule(one.key, other.key) && metric.may_be(in_, one, other) &&
           same_rounds(medians_[of], medians_[with]);
  }

  const report& in_;
  std::vector<round_values> medians_;
};

}  // namespace

std::vector<paired_cells> find_paired_cells(const report& in) {
  const pairing cells(in);
  std::vector<paired_cells> all;
  for (std::size_t at = 0; at < in.cells.size(); ++at) {
    for (const ratio_metric& each : metrics) {
      const auto found = in.cells[at].metrics.find(each.name);
      if (found == in.cells[at].metrics.end() || !found->second.ci95) continue;
      all.push_back(cells.find(each, at));
    }
  }
  return all;
}

}  // namespace ithaca::reports
