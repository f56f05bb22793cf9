#include "bench/stage/stage_run.hpp"

namespace ithaca::bench {
namespace {

using enum qkv_tensor;

void run_sequential(stage_run& stage) {
  const index_range rows = stage.all_rows();
  stage.project_all(rows);
  stage.normalise(q, rows);
  stage.normalise(k, rows);
  stage.submit(v, rows, submit_order::more);
  stage.submit(q, rows, submit_order::more);
  stage.submit(k, rows, submit_order::last);
}

}  // namespace

schedule sequential_schedule() {
  return {"sequential", "one projection, norm and RoPE, then the whole exchange", run_sequential};
}

}  // namespace ithaca::bench
