// The contract on thread groups: every exchanger that needs no MPI, under every sanitizer.

#include <gtest/gtest.h>

#include <mutex>

#include "backend/copy_engine_exchanger.hpp"
#include "backend/host/host_device.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/contract/contract.hpp"

namespace ithaca::validation {
namespace {

struct contract_case {
  contract_check check;
  int ranks;
};

class copy_engine_contract : public testing::TestWithParam<contract_case> {};

TEST_P(copy_engine_contract, holds_on_threads) {
  for (const element_type type : {element_type::bf16, element_type::fp8}) {
    std::mutex mutex;
    std::string failure;
    run_thread_ranks(GetParam().ranks, [&](thread_group& ranks) {
      host_device on;
      contract_site site{ranks, on, type,
                         [&] { return std::make_unique<copy_engine_exchanger>(ranks, on); }};
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
    for (const int ranks : {2, 3, 4}) cases.push_back({check, ranks});
  }
  return cases;
}

std::string case_name(const testing::TestParamInfo<contract_case>& info) {
  std::string name;
  for (const char each : info.param.check.name) {
    name += std::isalnum(static_cast<unsigned char>(each)) ? each : '_';
  }
  return name + "_" + std::to_string(info.param.ranks) + "_ranks";
}

INSTANTIATE_TEST_SUITE_P(all, copy_engine_contract, testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace ithaca::validation
