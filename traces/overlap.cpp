#include "traces/overlap.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "traces/kernel_name.hpp"
#include "traces/work_part.hpp"

namespace ithaca::traces {
namespace {

bool belongs(const timeline_record& record, const stage_window& window) {
  return record.rank == window.rank && record.operation >= window.first_operation &&
         record.operation <= window.last_operation;
}

/// Takes up the records of one stage, then works out what overlaps.
class stage_reading {
 public:
  stage_reading(std::span<const timeline_record> records, const stage_window& window) {
    result_.rank = window.rank;
    for (const timeline_record& record : records) {
      if (belongs(record, window)) note(record);
    }
    for (const timeline_record& record : records) {
      if (belongs(record, window)) take(record);
    }
    if (!any_work_) return;
    for (const timeline_record& record : records) {
      if (reaches(record)) result_.stage.end_ns = std::max(result_.stage.end_ns, record.end_ns);
    }
  }

  std::optional<stage_overlap> result() && {
    if (!any_work_) return std::nullopt;
    std::vector<time_interval> all;
    std::map<std::string, interval_set> computations;
    for (auto& [name, intervals] : computations_) {
      all.insert(all.end(), intervals.begin(), intervals.end());
      computations.emplace(name, std::move(intervals));
    }
    result_.computation = interval_set(std::move(all));
    result_.to_peers = interval_set(std::move(to_peers_));
    result_.within_rank = interval_set(std::move(within_rank_));
    if (knows_sms_) result_.held_sm_ns = held_sm_ns_;
    for (auto& [tag, intervals] : by_tag_) {
      tag_overlap& of = result_.tags[tag];
      of.moving = interval_set(std::move(intervals));
      of.windows = intersection_of(of.moving, result_.computation);
      for (const auto& [name, computing] : computations) {
        interval_set shared = intersection_of(of.moving, computing);
        if (!shared.empty()) of.beside.emplace(name, std::move(shared));
      }
    }
    return std::move(result_);
  }

 private:
  /// What other records are to be understood by.
  void note(const timeline_record& record) {
    if (record.exchange != 0) exchanges_.insert(record.exchange);
    if (record.kind == record_kind::submit) submitted_.emplace(record.operation, record.name);
  }

  void take(const timeline_record& record) {
    const work_part is = part_of(record);
    if (is == work_part::none) return;
    const time_interval when{record.start_ns, record.end_ns};
    time_interval& stage = result_.stage;
    stage.start_ns = any_work_ ? std::min(stage.start_ns, when.start_ns) : when.start_ns;
    stage.end_ns = any_work_ ? std::max(stage.end_ns, when.end_ns) : when.end_ns;
    any_work_ = true;
    if (is == work_part::computation) {
      computations_[computation_name(record)].push_back(when);
      return;
    }
    hold_sms(record);
    if (is == work_part::within_rank) {
      within_rank_.push_back(when);
    } else {
      to_peers_.push_back(when);
      by_tag_[record.tag.empty() ? std::string(grouped_tag) : record.tag].push_back(when);
    }
  }

  /// Of communication.
  void hold_sms(const timeline_record& record) {
    const bool is_kernel = record.kind == record_kind::kernel;
    if (record.engine == record_engine::none || (is_kernel && record.sms == 0)) {
      knows_sms_ = false;
    } else if (is_kernel) {
      held_sm_ns_ += (record.end_ns - record.start_ns) * std::int64_t{record.sms};
    }
  }

  std::string computation_name(const timeline_record& record) const {
    const auto submitted = submitted_.find(record.operation);
    return submitted != submitted_.end() ? submitted->second : unqualified_kernel_name(record.name);
  }

  /// Whether another rank's record brings something to this one. A kernel, or a library's copy,
  /// says to no one in particular.
  bool reaches(const timeline_record& record) const {
    return record.rank != result_.rank && part_of(record) == work_part::to_peers &&
           (record.peer == result_.rank || record.peer < 0) && exchanges_.contains(record.exchange);
  }

  stage_overlap result_;
  bool any_work_ = false;
  bool knows_sms_ = true;
  std::int64_t held_sm_ns_ = 0;
  std::set<std::uint64_t> exchanges_;
  std::map<std::uint64_t, std::string> submitted_;  ///< by operation: what it was submitted as
  std::map<std::string, std::vector<time_interval>> computations_;
  std::map<std::string, std::vector<time_interval>> by_tag_;
  std::vector<time_interval> to_peers_;
  std::vector<time_interval> within_rank_;
};

std::int64_t exposed_ns(const stage_overlap& of) { return of.exposed().total_ns(); }

}  // namespace

std::optional<stage_overlap> overlap_of(std::span<const timeline_record> records,
                                        const stage_window& window) {
  if (window.first_operation == 0 || window.last_operation < window.first_operation) {
    throw std::invalid_argument("a stage without operations");
  }
  return stage_reading(records, window).result();
}

const stage_overlap& most_exposed(std::span<const stage_overlap> ranks) {
  if (ranks.empty()) throw std::invalid_argument("the most exposed of no ranks");
  return *std::ranges::max_element(ranks, {}, exposed_ns);
}

const stage_overlap& median_run(std::span<const stage_overlap> runs) {
  if (runs.empty()) throw std::invalid_argument("the median of no runs");
  std::vector<std::size_t> order(runs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return exposed_ns(runs[i]); });
  return runs[order[order.size() / 2]];
}

}  // namespace ithaca::traces
