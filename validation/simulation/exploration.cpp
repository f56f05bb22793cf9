#include "validation/simulation/exploration.hpp"

#include <exception>

#include "backend/errors.hpp"
#include "backend/sim/simulate.hpp"
#include "validation/contract/exchange_rig.hpp"

namespace ithaca::validation {
namespace {

/// What is enqueued before a host program waits for it.
constexpr std::uint64_t exchanges_ahead = 16;

std::vector<tensor_spec> small_qkv(int degree) {
  const head_layout layout(
      {1, even_shares(16 * degree, degree), 2 * degree, 2 * degree, 32, element_type::bf16});
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

/// One rank; returns how many bytes were wrong on all of them.
std::int64_t run_rank(const exploration& wanted, const explored_exchanger& what, group& ranks,
                      device& on) {
  contract_site site{ranks, on, element_type::bf16, [&] { return what.make(ranks, on); },
                     what.reuse_by_caller};
  exchange_rig rig(site, small_qkv(ranks.size()));
  for (std::uint64_t exchange = 1; exchange <= wanted.exchanges; ++exchange) {
    rig.exchange(exchange);
    if (exchange % exchanges_ahead == 0) rig.finish();
  }
  return rig.mismatched_bytes();
}

std::string said(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& reason) {
    return reason.what();
  }
}

}  // namespace

exploration_result explore(const exploration& wanted, const explored_exchanger& what) {
  exploration_result result;
  for (std::uint64_t seed = wanted.first_seed; seed < wanted.first_seed + wanted.seeds; ++seed) {
    std::int64_t wrong = 0;
    const sim::simulation_result schedule =
        sim::simulate({.ranks = wanted.ranks, .move_bytes = wanted.move_bytes}, seed,
                      [&](group& ranks, device& on) {
                        try {
                          wrong = run_rank(wanted, what, ranks, on);
                        } catch (const not_eligible& reason) {
                          result.not_eligible = reason.what();
                        }
                      });
    if (!result.not_eligible.empty()) return result;
    ++result.schedules;
    result.exchanges += wanted.exchanges;
    result.operations += schedule.operations;
    result.findings += schedule.findings.size();
    if (!schedule.findings.empty()) {
      result.story = schedule.findings.front().story;
    } else if (wrong != 0) {
      result.story = std::to_string(wrong) + " bytes are wrong";
    }
    for (std::size_t rank = 0; rank < schedule.failures.size() && result.story.empty(); ++rank) {
      if (!schedule.failures[rank]) continue;
      result.story =
          "rank " + std::to_string(rank) + "'s program failed: " + said(schedule.failures[rank]);
    }
    if (result.story.empty()) continue;
    result.findings += schedule.findings.empty() ? 1 : 0;
    result.seed = seed;
    break;
  }
  return result;
}

}  // namespace ithaca::validation
