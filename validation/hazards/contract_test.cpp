// The contract on thread groups: every exchanger that needs no MPI, under every sanitizer.

#include <gtest/gtest.h>

#include <mutex>

#include "backend/direct_exchanger.hpp"
#include "backend/host/host_device.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/contract/contract.hpp"

namespace ithaca::validation {
namespace {

struct contract_case {
  contract_check check;
  int ranks;
  mover moves;
};

class direct_contract : public testing::TestWithParam<contract_case> {};

TEST_P(direct_contract, holds_on_threads) {
  for (const element_type type : {element_type::bf16, element_type::fp8}) {
    std::mutex mutex;
    std::string failure;
    run_thread_ranks(GetParam().ranks, [&](thread_group& ranks) {
      host_device on;
      contract_site site{ranks, on, type,
                         [&] {
                           return std::make_unique<direct_exchanger>(
                               ranks, on, direct_options{.moves = GetParam().moves});
                         }};
      const std::string wrong = GetParam().check.run(site);
      const std::lock_guard lock(mutex);
      if (!wrong.empty()) failure = wrong;
    });
    EXPECT_EQ(failure, "") << to_string(type);
  }
}

std::vector<contract_case> all_cases() {
  std::vector<contract_case> cases;
  for (const contract_check& check : contract_checks()) {
    for (const int ranks : {2, 3, 4}) {
      for (const mover moves : {mover::copy_engine, mover::push_kernel}) {
        cases.push_back({check, ranks, moves});
      }
    }
  }
  return cases;
}

std::string case_name(const testing::TestParamInfo<contract_case>& info) {
  std::string name;
  for (const char each : info.param.check.name) {
    name += std::isalnum(static_cast<unsigned char>(each)) ? each : '_';
  }
  name += info.param.moves == mover::copy_engine ? "_by_copy_engine_" : "_by_push_kernel_";
  return name + std::to_string(info.param.ranks) + "_ranks";
}

INSTANTIATE_TEST_SUITE_P(all, direct_contract, testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace ithaca::validation
