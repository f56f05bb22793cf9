#include "bench/stage/schedule.hpp"

namespace ithaca::bench {

// The files of this folder, and below the order in which people see them.
schedule sequential_schedule();
schedule v_first_schedule();
schedule v_q_k_schedule();
schedule chunked_schedule();
schedule head_chunks_schedule();

const std::vector<schedule>& schedule_table() {
  static const std::vector<schedule> table = {sequential_schedule(), v_first_schedule(),
                                              v_q_k_schedule(), chunked_schedule(),
                                              head_chunks_schedule()};
  return table;
}

}  // namespace ithaca::bench
