#include "validation/endurance/endurance.hpp"

#include <vector>

#include "validation/contract/exchange_rig.hpp"

namespace ithaca::validation {
namespace {

std::vector<tensor_spec> small_layer(const contract_site& site) {
  const int ranks = site.ranks.size();
  const head_layout layout({1, even_shares(4 * ranks, ranks), ranks, ranks, 16, site.type});
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

}  // namespace

endurance endure(contract_site& site, std::uint64_t exchanges,
                 const std::function<holdings()>& look) {
  endurance result;
  exchange_rig rig(site, small_layer(site));
  std::uint64_t iteration = 0;
  const auto held_after = [&](std::uint64_t last) {
    while (iteration < last) {
      rig.exchange(++iteration);
      if (iteration % settled_exchanges == 0) rig.finish();
    }
    result.mismatched_bytes = rig.mismatched_bytes();
    site.ranks.barrier();
    const holdings now = look();
    site.ranks.barrier();
    return now;
  };
  result.before = held_after(settled_exchanges);
  result.after = held_after(exchanges);
  return result;
}

}  // namespace ithaca::validation
