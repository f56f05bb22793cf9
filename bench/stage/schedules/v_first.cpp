#include "bench/stage/stage_run.hpp"

namespace ithaca::bench {
namespace {

using enum qkv_tensor;

void run_v_first(stage_run& stage) {
  const index_range rows = stage.all_rows();
  stage.project_all(rows);
  stage.submit(v, rows, submit_order::more);
  stage.normalise(q, rows);
  stage.submit(q, rows, submit_order::more);
  stage.normalise(k, rows);
  stage.submit(k, rows, submit_order::last);
}

}  // namespace

/// TeleFuser's order for MiniMax H3.
schedule v_first_schedule() {
  return {"v-first", "one projection; V leaves at once, then Q and K as each is normalised",
          run_v_first};
}

}  // namespace ithaca::bench
