#include "traces/overlap_rows.hpp"

namespace ithaca::traces {

std::vector<timeline_record> overlap_rows(const stage_overlap& of, const std::string& scope) {
  std::vector<timeline_record> ranges;
  const auto add = [&](std::string_view row, const std::string& name, const std::string& tag,
                       const interval_set& when) {
    for (const time_interval& each : when.intervals()) {
      timeline_record& range = ranges.emplace_back();
      range.rank = of.rank;
      range.row = row;
      range.name = name;
      range.tag = tag;
      range.start_ns = each.start_ns;
      range.end_ns = each.end_ns;
      range.scope = scope;
    }
  };
  add(stage_row, std::string(computation_name), "", of.computation);
  add(stage_row, "exposed", "", of.exposed());
  for (const auto& [tag, overlap] : of.tags) {
    for (const auto& [name, windows] : overlap.beside) {
      add(overlap_row, tag + " beside " + name, tag, windows);
    }
  }
  return ranges;
}

}  // namespace ithaca::traces
