#include "backend/agreement.hpp"

#include <algorithm>
#include <exception>
#include <vector>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

/// Collective: the reasons of those ranks that have one; empty if none has.
std::string reasons_of_all(group& among, const std::string& reason) {
  const std::vector<std::string> reasons = among.all_gather_text(reason);
  // What holds for all ranks alike is said once, and of nobody.
  if (std::ranges::all_of(reasons, [&](const auto& each) { return each == reason; })) return reason;
  std::string all;
  for (std::size_t rank = 0; rank < reasons.size(); ++rank) {
    if (reasons[rank].empty()) continue;
    all += (all.empty() ? "rank " : "; rank ") + std::to_string(rank) + ": " + reasons[rank];
  }
  return all;
}

}  // namespace

void require_eligible(group& among, const std::string& reason) {
  const std::string all = reasons_of_all(among, reason);
  if (!all.empty()) throw not_eligible(all);
}

void run_together(group& among, const std::function<void()>& step) {
  std::string refusal, failure;
  try {
    step();
  } catch (const not_eligible& reason) {
    refusal = reason.what();
  } catch (const invalid_use& reason) {
    refusal = reason.what();
  } catch (const std::exception& reason) {
    failure = reason.what();
  }
  // A broken rank is no matter for a fallback.
  const std::string broken = reasons_of_all(among, failure);
  if (!broken.empty()) among.give_up(broken);
  require_eligible(among, refusal);
}

void require_valid(group& among, const std::string& reason) {
  for (const std::string& each : among.all_gather_text(reason)) {
    if (!each.empty()) throw invalid_use(each);
  }
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
