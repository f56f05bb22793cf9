#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "backend/exchanger.hpp"
#include "bench/stage/schedule.hpp"
#include "bench/stage/stage_workload.hpp"

namespace ithaca::bench {

/// Which operations of a schedule are enqueued.
enum class stage_side { both, computation, communication };

/// One stage on one rank: what a schedule puts in order. Calls enqueue on the workload's stream.
class stage_run {
 public:
  /// All outlive the run. The exchanger was prepared for the schedule.
  stage_run(stage_workload& load, exchanger& transport, const chosen_schedule& by,
            std::int64_t shift);

  /// What the calls that follow enqueue; the others do nothing.
  void only(stage_side side) { side_ = side; }

  void run() { by_.what->run(*this); }

  // What a schedule composes.

  index_range all_rows() const;
  /// The ranges of rows that the tensor goes in.
  std::vector<index_range> pieces(qkv_tensor tensor) const;
  /// Of the heads.
  int parts() const { return by_.what->head_parts; }
  const stage_sizes& sizes() const { return load_.sizes(); }

  /// Q, K and V by one product.
  void project_all(index_range rows);
  void project(qkv_tensor tensor, index_range rows);
  /// Norm and RoPE of Q or K; V has neither.
  void normalise(qkv_tensor tensor, index_range rows);
  void normalise_part(qkv_tensor tensor, int part);
  void submit(qkv_tensor tensor, index_range rows, submit_order order);
  void submit_part(qkv_tensor tensor, int part, submit_order order);

  /// Host time of all submits so far.
  std::int64_t submit_ns() const { return submit_ns_; }

 private:
  void submit_slice(qkv_tensor tensor, const std::string& tag, index_range rows,
                    std::int64_t first_head, std::int64_t heads, submit_order order);
  /// The tensor's target, acquired once; without data where the exchanger copies the own chunk.
  target_view own_target(qkv_tensor tensor);
  bool computes() const { return side_ != stage_side::communication; }

  stage_workload& load_;
  exchanger& transport_;
  const chosen_schedule& by_;
  std::int64_t shift_;
  stage_side side_ = stage_side::both;
  std::map<qkv_tensor, target_view> acquired_;
  std::int64_t submit_ns_ = 0;
};

}  // namespace ithaca::bench
