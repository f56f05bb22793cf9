// The contract on simulated ranks, with bytes, in several schedules: what it promises holds in
// each, and nothing that it rests on is left to luck.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "backend/communicator.hpp"
#include "backend/direct_exchanger.hpp"
#include "backend/errors.hpp"
#include "backend/sim/simulate.hpp"
#include "validation/contract/contract.hpp"
#include "validation/hazards/test_name.hpp"

namespace ithaca::validation {
namespace {

struct implementation {
  std::string_view name;
  std::unique_ptr<exchanger> (*make)(group& ranks, device& on);
};

template <direct_options options>
std::unique_ptr<exchanger> direct(group& ranks, device& on) {
  return std::make_unique<direct_exchanger>(ranks, on, options);
}

/// Falls back before the first exchange.
std::unique_ptr<exchanger> second_choice(group& ranks, device& on) {
  const auto refuse = []() -> std::unique_ptr<exchanger> { throw not_eligible("not here"); };
  const auto serve = [&ranks, &on] { return direct<direct_options{}>(ranks, on); };
  return std::make_unique<communicator>(
      ranks, std::vector<transport_choice>{{"never", refuse}, {"direct", serve}});
}

constexpr std::array implementations = {
    implementation{"copy_engine", direct<direct_options{}>},
    implementation{"copy_engine_naive", direct<direct_options{.order = peer_order::naive}>},
    implementation{"copy_engine_2_lanes", direct<direct_options{.lanes = 2}>},
    implementation{"copy_engine_3_lanes_n_buffers",
                   direct<direct_options{.lanes = 3, .reuse = target_reuse::n_buffers}>},
    implementation{"copy_engine_per_tensor",
                   direct<direct_options{.arrivals = arrival_scope::per_tensor}>},
    implementation{"copy_engine_2_lanes_per_tensor",
                   direct<direct_options{.lanes = 2, .arrivals = arrival_scope::per_tensor}>},
    implementation{"copy_engine_own_behind",
                   direct<direct_options{.own = own_chunk_way::copy_stream}>},
    implementation{"copy_engine_own_kernel", direct<direct_options{.own = own_chunk_way::kernel}>},
    implementation{"own_kernel_per_tensor",
                   direct<direct_options{.arrivals = arrival_scope::per_tensor,
                                         .own = own_chunk_way::kernel}>},
    implementation{"copy_engine_packed", direct<direct_options{.source = copy_source::packed}>},
    implementation{
        "copy_engine_packed_n_buffers",
        direct<direct_options{.reuse = target_reuse::n_buffers, .source = copy_source::packed}>},
    implementation{"copy_engine_kernel_signals",
                   direct<direct_options{.signals = signal_kind::kernel}>},
    implementation{
        "kernel_signals_n_buffers",
        direct<direct_options{.reuse = target_reuse::n_buffers, .signals = signal_kind::kernel}>},
    implementation{"kernel_signals_per_tensor",
                   direct<direct_options{.signals = signal_kind::kernel,
                                         .arrivals = arrival_scope::per_tensor}>},
    implementation{"copy_engine_paced", direct<direct_options{.order = peer_order::paced}>},
    implementation{
        "copy_engine_paced_n_buffers",
        direct<direct_options{.order = peer_order::paced, .reuse = target_reuse::n_buffers}>},
    implementation{"copy_engine_n_buffers",
                   direct<direct_options{.reuse = target_reuse::n_buffers}>},
    implementation{"copy_engine_external", direct<direct_options{.reuse = target_reuse::external}>},
    implementation{"copy_engine_flags", direct<direct_options{.words = signal_words::flags}>},
    implementation{
        "push_exchange_n_buffers",
        direct<direct_options{.reuse = target_reuse::n_buffers, .moves = mover::push_exchange}>},
    implementation{"push_kernel", direct<direct_options{.moves = mover::push_kernel}>},
    implementation{"push_exchange", direct<direct_options{.moves = mover::push_exchange}>},
    // The contract's tensors are of both sizes, in one exchange where they are prepared apart.
    implementation{
        "some_pushed_together",
        direct<direct_options{.moves = mover::hybrid, .push_exchange_up_to_bytes = 30'000}>},
    implementation{"some_pushed_together_paced",
                   direct<direct_options{.order = peer_order::paced,
                                         .moves = mover::hybrid,
                                         .push_exchange_up_to_bytes = 30'000}>},
    implementation{"communicator", second_choice},
};

/// Whether a check is of something that the implementation, or the simulated device, does not do.
bool can_not(const implementation& how, const contract_check& check) {
  if (check.name.starts_with("captured into a graph")) return true;
  return check.name == "exchanges alternate between two streams" && how.name.ends_with("_flags");
}

struct contract_case {
  implementation how;
  contract_check check;
  int ranks;
};

class contract_on_sim : public testing::TestWithParam<contract_case> {};

TEST_P(contract_on_sim, holds) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    std::string failure;
    const sim::simulation_result result =
        sim::simulate({.ranks = GetParam().ranks}, seed, [&](group& ranks, device& on) {
          contract_site site{ranks, on, element_type::bf16,
                             [&] { return GetParam().how.make(ranks, on); },
                             GetParam().how.name.ends_with("_external")};
          const std::string wrong = GetParam().check.run(site);
          if (!wrong.empty()) failure = wrong;
        });
    EXPECT_NO_THROW(sim::rethrow_failure(result)) << "seed " << seed;
    EXPECT_EQ(failure, "") << "seed " << seed;
    for (const sim::finding& each : result.findings) {
      ADD_FAILURE() << "seed " << seed << "\n" << each.story;
    }
  }
}

std::vector<contract_case> all_cases() {
  std::vector<contract_case> cases;
  for (const implementation& how : implementations) {
    for (const contract_check& check : contract_checks()) {
      if (can_not(how, check)) continue;
      for (const int ranks : {2, 4}) cases.push_back({how, check, ranks});
    }
  }
  return cases;
}

std::string case_name(const testing::TestParamInfo<contract_case>& info) {
  return test_name(info.param.how.name, info.param.check.name, info.param.ranks);
}

INSTANTIATE_TEST_SUITE_P(all, contract_on_sim, testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace ithaca::validation
