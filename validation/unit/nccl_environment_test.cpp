#include "backend/nccl/nccl_environment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

namespace ithaca {
namespace {

/// Sets one variable for as long as it lives; all others of the table are unset.
class only {
 public:
  only(std::string_view name, const char* value) {
    for (const nccl_setting& each : nccl_settings()) unsetenv(each.name.data());
    setenv(name.data(), value, 1);
  }
  ~only() {
    for (const nccl_setting& each : nccl_settings()) unsetenv(each.name.data());
  }
};

TEST(nccl_environment, has_each_variable_once_with_a_reason) {
  std::set<std::string_view> names;
  for (const nccl_setting& each : nccl_settings()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_TRUE(each.name.starts_with("NCCL_")) << each.name;
    EXPECT_FALSE(each.why.empty()) << each.name;
  }
}

TEST(nccl_environment, refuses_what_makes_an_arm_another_one) {
  for (const nccl_setting& each : nccl_settings()) {
    const only set(each.name, "7");
    const std::string obstacle = nccl_environment_obstacle();
    if (each.treatment == setting_treatment::recorded) {
      EXPECT_EQ(obstacle, "");
    } else {
      EXPECT_TRUE(obstacle.starts_with(std::string(each.name) + " is set")) << obstacle;
      EXPECT_TRUE(obstacle.ends_with(": unset it")) << obstacle;
    }
  }
}

TEST(nccl_environment, accepts_the_values_that_are_nccls_own) {
  for (const nccl_setting& each : nccl_settings()) {
    const only set(each.name, std::string(each.harmless).c_str());
    EXPECT_EQ(nccl_environment_obstacle(), "") << each.name;
  }
}

}  // namespace
}  // namespace ithaca
