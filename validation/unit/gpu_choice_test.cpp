#include "bench/gpu_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ithaca::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using visible_to_ranks = std::vector<std::vector<std::string>>;

std::vector<int> ordinals(const std::vector<int>& hosts, const visible_to_ranks& visible) {
  const chosen_gpus chosen = choose_gpus(hosts, visible, gpu_sharing::refused);
  EXPECT_EQ(chosen.refusal, "");
  return chosen.ordinals;
}

TEST(gpu_choice, gives_the_ranks_of_a_host_one_after_the_other) {
  EXPECT_THAT(ordinals({0, 0}, {{"a", "b"}, {"a", "b"}}), ElementsAre(0, 1));
  EXPECT_THAT(ordinals({0, 1, 0, 1}, {{"a", "b"}, {"c", "d"}, {"a", "b"}, {"c", "d"}}),
              ElementsAre(0, 0, 1, 1));
}

TEST(gpu_choice, goes_by_uuid_where_processes_see_other_gpus_or_another_order) {
  EXPECT_THAT(ordinals({0, 0}, {{"a", "b"}, {"b", "a"}}), ElementsAre(0, 0));
  EXPECT_THAT(ordinals({0, 0}, {{"a"}, {"b"}}), ElementsAre(0, 0));
  EXPECT_THAT(ordinals({0, 0, 0}, {{"b", "a"}, {"a", "b", "c"}, {"a", "b", "c"}}),
              ElementsAre(0, 0, 2));
}

TEST(gpu_choice, refuses_ranks_that_get_none_unless_they_may_share) {
  EXPECT_THAT(choose_gpus({0, 0}, {{"a"}, {"a"}}, gpu_sharing::refused).refusal,
              HasSubstr("there are more ranks than GPUs (1 on this host): start 1 ranks"));
  EXPECT_THAT(
      choose_gpus({0, 0, 0}, {{"a", "b"}, {"a", "b"}, {"a", "b"}}, gpu_sharing::allowed).ordinals,
      ElementsAre(0, 1, 0));
  EXPECT_THAT(choose_gpus({0, 1}, {{"a"}, {}}, gpu_sharing::allowed).refusal,
              HasSubstr("no GPU is usable here"));
}

}  // namespace
}  // namespace ithaca::bench
