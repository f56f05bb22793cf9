#include "backend/sim/fabric_figures.hpp"

namespace ithaca::sim {

double fabric_figures::push_gbps(int ctas) const {
  push_rate below;
  for (const push_rate& each : push_rates) {
    if (ctas <= each.ctas) {
      return below.gbps + (each.gbps - below.gbps) * (ctas - below.ctas) / (each.ctas - below.ctas);
    }
    below = each;
  }
  return below.gbps;
}

}  // namespace ithaca::sim
