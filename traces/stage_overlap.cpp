#include "traces/stage_overlap.hpp"

namespace ithaca::traces {

interval_set stage_overlap::exposed() const {
  return difference_of(interval_set({stage}), computation);
}

}  // namespace ithaca::traces
