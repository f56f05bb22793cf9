#pragma once

#include <string>
#include <vector>

namespace ithaca::bench {

/// Whether ranks of one host may use the same GPU: for correctness only, never for times.
enum class gpu_sharing { refused, allowed };

/// The GPU that each rank takes, as its place in what that rank sees.
struct chosen_gpus {
  std::vector<int> ordinals;
  std::string refusal;  ///< why there is no choice; then no ordinals
};

/// Every rank takes the first GPU that it sees and that no lower rank of its host has taken. GPUs
/// are told by their UUIDs, since processes may see different ones, or in another order.
/// `hosts`, `visible`: by rank; the UUIDs that a rank sees, in its order.
chosen_gpus choose_gpus(const std::vector<int>& hosts,
                        const std::vector<std::vector<std::string>>& visible, gpu_sharing sharing);

}  // namespace ithaca::bench
