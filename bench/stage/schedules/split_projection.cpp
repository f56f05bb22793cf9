#include "bench/stage/stage_run.hpp"

namespace ithaca::bench {
namespace {

using enum qkv_tensor;

void run_split(stage_run& stage) {
  for (const qkv_tensor tensor : {v, q, k}) {
    const std::vector<index_range> pieces = stage.pieces(tensor);
    for (const index_range& rows : pieces) {
      stage.project(tensor, rows);
      if (tensor != v) stage.normalise(tensor, rows);
      const bool is_last = tensor == k && rows == pieces.back();
      stage.submit(tensor, rows, is_last ? submit_order::last : submit_order::more);
    }
  }
}

}  // namespace

/// TeleFuser's order for LingBot-World v2.
schedule v_q_k_schedule() {
  return {"v-q-k", "three projections; each tensor leaves as soon as it is ready", run_split};
}

schedule chunked_schedule() {
  return {"chunked",
          "as v-q-k, but the rows of some tensors go in pieces that shrink towards the end",
          run_split, true};
}

}  // namespace ithaca::bench
