#include "reports/merge/merged_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace ithaca::reports {
namespace {

using cells_of_launches = std::span<const launch_cell>;

bool is(const launch_cell& each, cell_status status) {
  return each.of && each.of->status == status;
}

std::string reason(const launch_cell& of) {
  if (!of.of) return of.launch + " lacks it";
  return fmt::format("{} says {}: {}", of.launch, to_string(of.of->status), *of.of->reason);
}

std::optional<std::string> first_reason(cells_of_launches all, cell_status status) {
  const auto found =
      std::ranges::find_if(all, [&](const launch_cell& each) { return is(each, status); });
  if (found == all.end()) return std::nullopt;
  return reason(*found);
}

/// The way without the reason for it, which tells what was measured on the way to it.
std::optional<std::string> name_of(const std::optional<std::string>& way) {
  if (!way) return std::nullopt;
  return way->substr(0, way->find(':'));
}

/// Why cells that all launches measured are not the same thing measured.
std::optional<std::string> contradiction(cells_of_launches all) {
  const cell& first = *all.front().of;
  for (const launch_cell& each : all.subspan(1)) {
    if (each.of->counts != first.counts) {
      return fmt::format("{} and {} count different operations", all.front().launch, each.launch);
    }
    if (name_of(each.of->way) != name_of(first.way)) {
      return fmt::format("{} went another way than {}", each.launch, all.front().launch);
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_incomplete(cells_of_launches all) {
  for (const launch_cell& each : all) {
    if (!is(each, cell_status::measured)) return reason(each);
  }
  return contradiction(all);
}

void add(checked_bytes& to, const checked_bytes& more) {
  to.exchanges += more.exchanges;
  to.bytes += more.bytes;
  to.mismatched_bytes += more.mismatched_bytes;
}

}  // namespace

cell merged_cell(const cell_key& key, cells_of_launches launches) {
  cell merged;
  merged.key = key;
  for (const launch_cell& each : launches) {
    if (each.of) add(merged.checked, each.of->checked);
  }
  if (auto refutation = first_reason(launches, cell_status::refuted)) {
    merged.refute(std::move(*refutation));
    return merged;
  }
  const bool all_skipped = std::ranges::all_of(
      launches, [](const launch_cell& each) { return is(each, cell_status::skipped); });
  if (all_skipped) {
    merged.status = cell_status::skipped;
    merged.reason = launches.front().of->reason;
    return merged;
  }
  merged.reason = why_incomplete(launches);
  if (merged.reason) return merged;
  std::vector<sample_matrix::launch> samples;
  for (const launch_cell& each : launches) samples.push_back(each.of->samples.launches().front());
  merged.samples = sample_matrix(std::move(samples));
  merged.way = launches.front().of->way;
  merged.counts = launches.front().of->counts;
  merged.overlap = launches.front().of->overlap;
  return merged;
}

}  // namespace ithaca::reports
