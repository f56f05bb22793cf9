// Whether a kernel that differs from its host form would be noticed.

#include "validation/kernels/compare_kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "backend/host/host_device.hpp"
#include "kernels/fill.hpp"

namespace ithaca::validation {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A trial that does something else on the device that it is run on first.
kernel_trial differing(std::function<kernel_call(const trial_areas&, bool first)> build) {
  return {
      .kernel = "any_kernel",
      .what = "any",
      .past = 3,
      .source = std::vector<std::byte>(100),
      .target = std::vector<std::byte>(100),
      .words = {0, 0},
      .build = [build, runs = 0](const trial_areas& at) mutable { return build(at, runs++ == 0); }};
}

kernel_call storing(std::byte* at) {
  kernel_call call;
  call.name = "storing_kernel";
  call.host = [at] { *at = std::byte{0x77}; };
  return call;
}

TEST(compare_kernel, finds_nothing_where_both_devices_do_the_same) {
  host_device subject, reference;
  std::map<std::string, int> trials;
  each_kernel_trial([&](const kernel_trial& trial) {
    ++trials[trial.kernel];
    if (trial.source.size() > (1 << 20)) return;  // slow, and shows nothing else
    EXPECT_THAT(compare_kernel(trial, subject, reference), IsEmpty()) << trial.what;
  });
  EXPECT_EQ(trials.size(), 13u) << "every kernel has its trials";
}

TEST(compare_kernel, finds_a_byte_that_was_not_written) {
  host_device subject, reference;
  const auto trial = differing([](const trial_areas& at, bool first) {
    return kernels::poison(at.target, first ? 99 : 100);
  });
  EXPECT_EQ(compare_kernel(trial, subject, reference),
            "1 bytes of the target differ, the first at 99: 0x00 instead of 0xff");
}

TEST(compare_kernel, finds_a_byte_that_was_written_outside_or_to_another_area) {
  host_device subject, reference;
  const auto wrong = [&](std::byte* (*where)(const trial_areas&)) {
    return compare_kernel(differing([where](const trial_areas& at, bool first) {
                            return first ? storing(where(at)) : kernels::poison(at.target, 0);
                          }),
                          subject, reference);
  };
  EXPECT_THAT(wrong([](const trial_areas& at) { return at.target - 1; }),
              HasSubstr("target differ, the first at -1"));
  EXPECT_THAT(wrong([](const trial_areas& at) { return at.source + 7; }),
              HasSubstr("source differ, the first at 7"));
  EXPECT_THAT(
      wrong([](const trial_areas& at) { return reinterpret_cast<std::byte*>(at.words + 1); }),
      HasSubstr("words differ, the first at 8"));
}

}  // namespace
}  // namespace ithaca::validation
