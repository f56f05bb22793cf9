#include "validation/hazards/sim_stories.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "backend/direct_exchanger.hpp"
#include "backend/sim/simulate.hpp"

namespace ithaca::validation {

std::vector<tensor_spec> small_qkv(int degree, std::int64_t rows) {
  const head_layout layout(
      {1, even_shares(rows * degree, degree), 2 * degree, 2 * degree, 32, element_type::bf16});
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

std::vector<std::string> stories(sim::finding_kind kind, const rank_program& program, int ranks) {
  std::vector<std::string> told;
  for (std::uint64_t seed = 1; seed <= schedules; ++seed) {
    const auto result = sim::simulate({.ranks = ranks, .move_bytes = false}, seed, program);
    for (const sim::finding& each : result.findings) {
      if (each.kind == kind) told.push_back(each.story);
    }
  }
  return told;
}

void expect_no_finding(const rank_program& program, int ranks) {
  for (std::uint64_t seed = 1; seed <= schedules; ++seed) {
    const auto result = sim::simulate({.ranks = ranks, .move_bytes = false}, seed, program);
    EXPECT_NO_THROW(sim::rethrow_failure(result)) << ranks << " ranks, seed " << seed;
    for (const sim::finding& each : result.findings) {
      ADD_FAILURE() << ranks << " ranks, seed " << seed << ": " << each.story;
    }
  }
}

rank_program exchanges(direct_options options, fault broken,
                       std::function<void(int rank, exchange_rig&)> program) {
  return [=, program = std::move(program)](group& ranks, device& on) {
    faulty_device faulty(on, {.broken = broken});
    contract_site site{ranks, faulty, element_type::bf16,
                       [&] { return std::make_unique<direct_exchanger>(ranks, faulty, options); }};
    exchange_rig rig(site, small_qkv(ranks.size()));
    program(ranks.rank(), rig);
    rig.finish();
    ranks.barrier();
  };
}

void three_exchanges(int, exchange_rig& rig) {
  for (std::uint64_t iteration = 1; iteration <= 3; ++iteration) rig.exchange(iteration);
}

}  // namespace ithaca::validation
