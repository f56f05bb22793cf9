// A rank may have to give up at any moment of a campaign, also between two samples: what it says
// then.

#include "bench/whereabouts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/host/host_device.hpp"
#include "backend/threads/thread_group.hpp"
#include "bench/arms/table.hpp"
#include "bench/prepared_exchange.hpp"
#include "validation/hazards/borrowed_group.hpp"
#include "validation/unit/told_watch.hpp"

namespace ithaca::validation {
namespace {

using testing::ElementsAre;

bench::scenario small() {
  bench::shape made;
  made.name = "small";
  made.tokens = 8;
  made.heads = made.kv_heads = 4;
  made.head_dim = 16;
  return {{made, true}, element_type::bf16, 2};
}

TEST(whereabouts, tell_of_the_scenario_the_arm_and_where_its_exchange_stands) {
  run_thread_ranks(2, [](thread_group& ranks) {
    const auto by = std::make_shared<told_watch>();
    ranks.set_watch(by);
    host_device on;
    bench::start_gate gate(ranks, ranks, on);
    bench::ulysses_site site(
        ranks, on,
        [&](int, int) { return std::make_unique<borrowed_group>(ranks, kinship::threads); }, 2);
    const std::vector isolated = {bench::exchange_mode::isolated};
    const char* const nothing_yet = "epoch 0 (no tag was submitted yet)";
    {
      bench::whereabouts here(ranks, "small bf16 U2");
      EXPECT_THAT(by->steps(), ElementsAre("small bf16 U2", nothing_yet));
      {
        bench::prepared_exchange ready(small(),
                                       {{"push", bench::find_arm("push"), isolated},
                                        {"copy-engine", bench::find_arm("copy-engine"), isolated}},
                                       site, ranks, gate);
        EXPECT_THAT(by->steps(), ElementsAre("small bf16 U2", nothing_yet));
        here.turn_to(*ready.contenders()[0]);
        EXPECT_THAT(by->steps(), ElementsAre("small bf16 U2 push", nothing_yet));
        here.turn_to(*ready.contenders()[1]);
        ready.contenders()[1]->samples().warm_up(1);
        EXPECT_THAT(by->steps(),
                    ElementsAre("small bf16 U2 copy-engine", "epoch 1 (tags v, q, k)"));
      }
      // Its exchanger is gone: nobody asks it any more.
      EXPECT_THAT(by->steps(), ElementsAre("small bf16 U2 copy-engine", nothing_yet));
    }
    EXPECT_THAT(by->steps(), ElementsAre());
  });
}

}  // namespace
}  // namespace ithaca::validation
