#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "backend/errors.hpp"
#include "bench/arms/table.hpp"
#include "bench/selected_names.hpp"
#include "reports/console/nearest_name.hpp"

namespace ithaca::bench {
namespace {

using console::did_you_mean;
using console::edit_distance;
using console::nearest_name;

const std::vector<std::string> arms = {"copy-engine", "nccl", "nccl-per-tensor", "mpi"};

TEST(edit_distance, counts_single_steps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("ncll", "nccl"), 1u);
  EXPECT_EQ(edit_distance("cnlc", "nccl"), 2u);
}

TEST(nearest_name, finds_misspellings_and_beginnings_but_nothing_far) {
  EXPECT_EQ(nearest_name("ncll", arms), "nccl");
  EXPECT_EQ(nearest_name("copy_engine", arms), "copy-engine");
  EXPECT_EQ(nearest_name("nccl-per", arms), "nccl-per-tensor");
  EXPECT_EQ(nearest_name("warp", arms), "");
  EXPECT_EQ(nearest_name("", arms), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(did_you_mean, lists_what_is_known_when_nothing_is_near) {
  EXPECT_EQ(did_you_mean("ncll", arms), "; did you mean 'nccl'?");
  EXPECT_EQ(did_you_mean("warp", arms),
            "; known are 'copy-engine', 'nccl', 'nccl-per-tensor', 'mpi'");
}

TEST(select_names, keeps_order_drops_repeats_and_knows_all) {
  EXPECT_EQ(select_names("arm", std::vector<std::string>{"mpi", "nccl", "mpi"}, arms),
            (std::vector<std::string>{"mpi", "nccl"}));
  EXPECT_EQ(select_names("arm", std::vector<std::string>{"mpi", "all"}, arms),
            (std::vector<std::string>{"mpi", "copy-engine", "nccl", "nccl-per-tensor"}));
}

TEST(select_names, refuses_unknown_ones) {
  try {
    select_names("arm", std::vector<std::string>{"nccl", "ncll"}, arms);
    FAIL();
  } catch (const invalid_use& error) {
    EXPECT_STREQ(error.what(), "there is no arm 'ncll'; did you mean 'nccl'?");
  }
}

TEST(select_arms, leaves_ablations_out_of_all) {
  const auto is_ablation = [](const std::string& name) { return find_arm(name)->ablation; };
  const auto all = select_arms(std::vector<std::string>{"all"});
  const auto ablations = select_arms(std::vector<std::string>{"ablations"});
  EXPECT_TRUE(std::ranges::none_of(all, is_ablation));
  EXPECT_TRUE(std::ranges::all_of(ablations, is_ablation));
  EXPECT_EQ(all.size() + ablations.size(), arm_table().size());
  const std::vector<std::string> named = {ablations.front(), "copy-engine"};
  EXPECT_EQ(select_arms(named), named);
}

}  // namespace
}  // namespace ithaca::bench
