// What a missing target costs: all ranks meet, and memory is taken. Nobody may come to that unseen.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "backend/direct_exchanger.hpp"
#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "backend/target_cache.hpp"
#include "backend/threads/thread_group.hpp"

namespace ithaca::validation {
namespace {

constexpr int keys_that_fit = static_cast<int>(target_cache::capacity);

/// The tag "v" with one of many shapes: a key of its own each.
tensor_spec shaped(int number) {
  const head_layout layout({1, even_shares(2 * (8 + number), 2), 2, 2, 16, element_type::bf16});
  return {"v", {layout, head_set::kv, direction::scatter}};
}

struct costs {
  std::uint64_t collectives = 0;
  std::uint64_t allocations = 0;
};

/// What preparing `keys` shapes in turn costs once each has been prepared before.
costs of_second_turn(int keys) {
  costs found;
  run_thread_ranks(2, [&](thread_group& ranks) {
    host_device on;
    direct_exchanger transport(ranks, on, {});
    const auto turn = [&] {
      for (int key = 0; key < keys; ++key) {
        const tensor_spec spec = shaped(key);
        transport.prepare({&spec, 1});
      }
    };
    turn();
    const costs before{ranks.collective_count(), on.allocation_count()};
    turn();
    if (ranks.rank() > 0) return;
    found = {ranks.collective_count() - before.collectives,
             on.allocation_count() - before.allocations};
  });
  return found;
}

TEST(cache, as_many_keys_as_fit_cost_nothing_in_turn) {
  const costs found = of_second_turn(keys_that_fit);
  EXPECT_EQ(found.collectives, 0u);
  EXPECT_EQ(found.allocations, 0u);
}

TEST(cache, control_one_key_more_costs_all_ranks_at_every_call) {
  const costs found = of_second_turn(keys_that_fit + 1);
  EXPECT_GE(found.collectives, static_cast<std::uint64_t>(keys_that_fit + 1));
  EXPECT_EQ(found.allocations, static_cast<std::uint64_t>(keys_that_fit + 1));
}

TEST(cache, more_tensors_at_once_than_fit_are_refused) {
  run_thread_ranks(2, [](thread_group& ranks) {
    host_device on;
    direct_exchanger transport(ranks, on, {});
    std::vector<tensor_spec> specs;
    for (int number = 0; number <= keys_that_fit; ++number) {
      specs.push_back(shaped(0));
      specs.back().tag = "t" + std::to_string(number);
    }
    EXPECT_THROW(transport.prepare(specs), invalid_use);
    specs.pop_back();
    EXPECT_NO_THROW(transport.prepare(specs));
  });
}

}  // namespace
}  // namespace ithaca::validation
