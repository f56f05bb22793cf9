#include "bench/stage/stage_run.hpp"

namespace ithaca::bench {
namespace {

using enum qkv_tensor;

void run_head_chunks(stage_run& stage) {
  const bool over_whole_rows = stage.sizes().norm() == kernels::norm_scope::hidden;
  stage.project_all(stage.all_rows());
  if (over_whole_rows) {
    stage.normalise(q, stage.all_rows());
    stage.normalise(k, stage.all_rows());
  }
  for (int part = 0; part < stage.parts(); ++part) {
    if (!over_whole_rows) {
      stage.normalise_part(q, part);
      stage.normalise_part(k, part);
    }
    stage.submit_part(v, part, submit_order::more);
    stage.submit_part(q, part, submit_order::more);
    stage.submit_part(k, part, submit_order::last);
  }
}

}  // namespace

/// TeleFuser's order for MiniMax H3 over NCCL.
schedule head_chunks_schedule() {
  return {.name = "head-chunks",
          .summary = "one projection; the heads in two halves, each an exchange of its own",
          .run = run_head_chunks,
          .takes_own = false,
          .head_parts = 2};
}

}  // namespace ithaca::bench
