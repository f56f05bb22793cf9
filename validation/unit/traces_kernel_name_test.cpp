#include <gtest/gtest.h>

#include "traces/kernel_name.hpp"

namespace ithaca::traces {
namespace {

TEST(kernel_name, strips_a_demangled_name_to_the_function) {
  const auto expect = [](const char* full, const char* plain) {
    EXPECT_EQ(unqualified_kernel_name(full), plain) << full;
  };
  expect("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "ncclDevKernel_SendRecv");
  expect("void ithaca::fill<unsigned int>(unsigned int*, unsigned long)", "fill");
  expect("void ithaca::(anonymous namespace)::move_regions<16>(ithaca::table)", "move_regions");
  expect("(anonymous namespace)::check(int)", "check");
  expect(
      "void cutlass::Kernel2<cutlass_80_tensorop<(cutlass::Mode)1, (2>(1)), (1<(2))> >(P::Params)",
      "Kernel2");
  expect("void a::run<void (*)(int), b::c>(int) [clone .isra.0]", "run");
  expect("std::vector<int> ns::make<int>(int)", "make");
  expect("void ns::functor<int>::operator()(int) const", "operator()");
  expect("ns::outer(int)::{lambda(float)#1}::operator()(float) const", "operator()");
  expect("ns::tool<3>::run(int) const", "run");
  expect("reduce_operator()", "reduce_operator");
  expect("ns::tool<(1<(2))>::run(int)", "run");
  expect("plain_kernel", "plain_kernel");
  expect("", "");
}

TEST(kernel_name, demangles) {
  EXPECT_EQ(
      unqualified_kernel_name("_Z22ncclDevKernel_SendRecv24ncclDevKernelArgsStorageILm4096EE"),
      "ncclDevKernel_SendRecv");
  EXPECT_EQ(unqualified_kernel_name("_ZN6ithaca12_GLOBAL__N_14fillIjEEvPT_m"), "fill");
  EXPECT_EQ(unqualified_kernel_name("_Znot_mangled_at_all"), "_Znot_mangled_at_all");
}

TEST(kernel_name, is_not_changed_by_being_stripped_again) {
  const std::string once = unqualified_kernel_name("void ns::functor<int>::operator()(int) const");
  EXPECT_EQ(unqualified_kernel_name(once), once);
}

TEST(kernel_name, matches_a_pattern_from_end_to_end) {
  EXPECT_TRUE(matches("fill", "fill"));
  EXPECT_FALSE(matches("fill", "fill_more"));
  EXPECT_FALSE(matches("fill", "refill"));
  EXPECT_TRUE(matches("ncclDevKernel_*", "ncclDevKernel_SendRecv"));
  EXPECT_TRUE(matches("ncclDevKernel_*", "ncclDevKernel_"));
  EXPECT_FALSE(matches("ncclDevKernel_*", "ncclSymkDevKernel_AllGather"));
  EXPECT_TRUE(matches("*Kernel_*Recv", "ncclDevKernel_SendRecvRecv"));
  EXPECT_FALSE(matches("*Kernel_*Recv", "ncclDevKernel_SendRecvRec"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_FALSE(matches("", "a"));
}

}  // namespace
}  // namespace ithaca::traces
