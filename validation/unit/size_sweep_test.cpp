#include <gtest/gtest.h>

#include "backend/errors.hpp"
#include "bench/sized_scenarios.hpp"

namespace ithaca::bench {
namespace {

TEST(size_sweep, reads_powers_of_1024) {
  const size_sweep sweep = parse_size_sweep("64K:256M:4");
  EXPECT_EQ(sweep.least_bytes, 64u << 10);
  EXPECT_EQ(sweep.most_bytes, 256u << 20);
  EXPECT_EQ(sweep.factor, 4);
}

TEST(size_sweep, refuses_what_is_no_range) {
  for (const char* text : {"", "64K", "64K:1M", "0:1M:2", "1M:64K:2", "64K:1M:1", "64K:1M:0",
                           "64Q:1M:2", "-1:1M:2", "64K:1M:2:3", "a:b:c", "99999999999G:1:2"}) {
    EXPECT_THROW(parse_size_sweep(text), invalid_use) << text;
  }
}

TEST(size_sweep, makes_the_size_for_every_type_degree_and_way) {
  size_sweep sweep = parse_size_sweep("96K:6M:8");
  for (const direction way : {direction::scatter, direction::gather}) {
    const std::vector<scenario> all =
        scenarios_of(sweep, {element_type::bf16, element_type::fp8}, {2, 4}, way);
    ASSERT_EQ(all.size(), 3u * 2 * 2);
    for (const scenario& each : all) {
      std::size_t sent = 0;
      for (const tensor_spec& spec : specs_of(each)) sent += spec.geometry.peer_bytes(0);
      const std::string& name = each.what.chosen.name;
      const std::size_t wanted = name == "96KiB-a-peer"    ? 96u << 10
                                 : name == "768KiB-a-peer" ? 768u << 10
                                                           : 6u << 20;
      EXPECT_EQ(sent, wanted * static_cast<std::size_t>(each.degree - 1)) << to_string(each);
    }
  }
}

TEST(size_sweep, names_what_is_moved_where_rows_do_not_fit_and_only_once) {
  const std::vector<scenario> all =
      scenarios_of(parse_size_sweep("1K:64K:2"), {element_type::bf16}, {2}, direction::scatter);
  std::vector<std::string> names;
  for (const scenario& each : all) names.push_back(each.what.chosen.name);
  EXPECT_EQ(names, (std::vector<std::string>{"12KiB-a-peer", "24KiB-a-peer", "60KiB-a-peer"}));
}

TEST(size_sweep, refuses_a_row_that_holds_no_whole_heads) {
  size_sweep sweep = parse_size_sweep("64K:64K:2");
  sweep.row_bytes = 200;
  EXPECT_THROW(scenarios_of(sweep, {element_type::bf16}, {2}, direction::scatter), invalid_use);
}

}  // namespace
}  // namespace ithaca::bench
