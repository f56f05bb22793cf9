#include "validation/path_health.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ithaca::validation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

path_health path(int source, int target) {
  return {source, target, "NV18", probed_pair{}, probed_pair{}, 385.25, 4.5};
}

TEST(path_health, is_there_where_all_that_was_tried_works) {
  EXPECT_TRUE(healthy({path(0, 1), path(1, 0)}));
  EXPECT_THAT(to_table({path(0, 1), path(1, 0)}), HasSubstr("healthy: all 2 paths work\n"));
  EXPECT_FALSE(healthy({})) << "nothing was tried";
}

TEST(path_health, is_not_there_where_any_step_fails) {
  for (const auto step : {&probed_pair::mapping, &probed_pair::copy, &probed_pair::stream_write,
                          &probed_pair::staged_copy}) {
    for (const auto way : {&path_health::by_descriptor, &path_health::by_handle}) {
      path_health bad = path(1, 0);
      (*(bad.*way)).*step = "a reason";
      EXPECT_EQ(bad.failures().size(), 1u);
      EXPECT_FALSE(healthy({path(0, 1), bad}));
      const std::string table = to_table({path(0, 1), bad});
      EXPECT_THAT(table, HasSubstr("FAIL 1 -> 0: "));
      EXPECT_THAT(table, HasSubstr(": a reason"));
      EXPECT_THAT(table, HasSubstr("not healthy: 1 of 2 paths fail\n"));
    }
  }
}

TEST(path_health, says_once_that_memory_is_not_mapped) {
  path_health bad = path(0, 1);
  bad.by_handle = probed_pair{0, 1, "no", "no", "no", "no"};
  EXPECT_THAT(bad.failures(), ElementsAre("mapping, by handle: no"));
}

TEST(path_health, takes_one_way_of_sharing) {
  path_health one = path(0, 1);
  one.by_descriptor.reset();
  EXPECT_TRUE(healthy({one}));
  one.by_handle.reset();
  EXPECT_FALSE(healthy({one}));
}

TEST(path_health, tells_another_rank_what_was_found) {
  path_health bad = path(2, 3);
  bad.by_handle->copy = "12 of 4096 copied bytes did not arrive";
  bad.by_descriptor.reset();
  const std::vector<path_health> told = findings_from_text(findings_to_text({path(0, 1), bad}));
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[1].source, 2);
  EXPECT_EQ(told[1].target, 3);
  EXPECT_EQ(told[1].link, "NV18");
  EXPECT_EQ(told[1].failures(), bad.failures());
  EXPECT_TRUE(told[0].by_descriptor && !told[1].by_descriptor);
}

TEST(path_health, has_null_for_what_works_or_was_not_measured) {
  path_health bad = path(0, 1);
  bad.by_descriptor->stream_write = "a reason";
  bad.ceiling_gbps.reset();
  const nlohmann::json written = to_json(bad);
  EXPECT_EQ(written["by_descriptor"]["stream_write"], "a reason");
  EXPECT_TRUE(written["by_descriptor"]["copy"].is_null());
  EXPECT_TRUE(written["ceiling_gbps"].is_null());
  EXPECT_EQ(written["handshake_us"], 4.5);
}

}  // namespace
}  // namespace ithaca::validation
