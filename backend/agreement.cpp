#include "backend/agreement.hpp"

#include <vector>

#include "backend/errors.hpp"

namespace ithaca {

void require_eligible(group& among, const std::string& reason) {
  const std::vector<std::string> reasons = among.all_gather_text(reason);
  std::string all;
  for (std::size_t rank = 0; rank < reasons.size(); ++rank) {
    if (reasons[rank].empty()) continue;
    // What holds for every rank alike is said once.
    if (rank > 0 && reasons[rank] == reasons[rank - 1]) continue;
    all += (all.empty() ? "rank " : "; rank ") + std::to_string(rank) + ": " + reasons[rank];
  }
  if (!all.empty()) throw not_eligible(all);
}

void require_same(group& among, const std::string& what, const std::string& text) {
  const std::vector<std::string> texts = among.all_gather_text(text);
  for (std::size_t rank = 1; rank < texts.size(); ++rank) {
    if (texts[rank] == texts[0]) continue;
    throw invalid_use("ranks were given different " + what + ": rank 0 has " + texts[0] +
                      ", rank " + std::to_string(rank) + " has " + texts[rank]);
  }
}

}  // namespace ithaca
