#include "bench/stage/stage_sizes.hpp"

#include <gtest/gtest.h>

namespace ithaca::bench {
namespace {

scenario of(const shape& chosen, int degree) {
  return {{chosen, true}, element_type::bf16, degree};
}

shape grouped() {
  shape made;
  made.name = "grouped";
  made.batch = 2;
  made.tokens = 11;
  made.heads = 8;
  made.kv_heads = 4;
  made.head_dim = 32;
  made.hidden = 96;
  made.qk_norm = "per-head RMSNorm";
  return made;
}

TEST(stage_sizes, lay_q_k_and_v_side_by_side) {
  const stage_sizes sizes(of(grouped(), 2));
  EXPECT_EQ(sizes.norm(), kernels::norm_scope::head);
  EXPECT_EQ(sizes.first_head(qkv_tensor::q), 0);
  EXPECT_EQ(sizes.first_head(qkv_tensor::k), 8);
  EXPECT_EQ(sizes.first_head(qkv_tensor::v), 12);
  EXPECT_EQ(sizes.columns(), 16 * 32);
  EXPECT_EQ(sizes.row_bytes(), 2u * 16 * 32);
}

TEST(stage_sizes, give_every_stored_row_a_position_of_its_own) {
  const stage_sizes sizes(of(grouped(), 2));
  EXPECT_EQ(sizes.first_position(0) + sizes.stored_rows(0), sizes.first_position(1));
  EXPECT_EQ(sizes.first_position(1) + sizes.stored_rows(1), sizes.positions());
}

TEST(stage_sizes, halve_the_heads_where_they_can_be_shared) {
  const stage_sizes sizes(of(grouped(), 2));
  EXPECT_EQ(sizes.why_not_in_parts(2), "");
  EXPECT_EQ(sizes.heads_of_part(qkv_tensor::q, 1, 2), (index_range{4, 4}));
  EXPECT_EQ(sizes.heads_of_part(qkv_tensor::v, 1, 2), (index_range{2, 2}));
  const auto specs = sizes.specs(2, own_chunk::copied);
  ASSERT_EQ(specs.size(), 6u);
  EXPECT_EQ(specs[0].tag, "v.0");
  EXPECT_EQ(specs[4].tag, "q.1");
  EXPECT_EQ(specs[4].geometry.layout.head_count(head_set::query), 4);
  shape odd = grouped();
  odd.heads = odd.kv_heads = 3;
  EXPECT_NE(stage_sizes(of(odd, 3)).why_not_in_parts(2), "");
  EXPECT_NE(stage_sizes(of(grouped(), 8)).why_not_in_parts(2), "");
}

TEST(stage_sizes, say_what_no_kernel_computes) {
  EXPECT_EQ(why_no_stage(of(grouped(), 2)), "");
  scenario fp8 = of(grouped(), 2);
  fp8.type = element_type::fp8;
  EXPECT_NE(why_no_stage(fp8), "");
  const auto reason = [](auto change) {
    shape changed = grouped();
    change(changed);
    return why_no_stage(of(changed, 2));
  };
  EXPECT_NE(reason([](shape& s) { s.head_dim = 40; }), "");
  EXPECT_NE(reason([](shape& s) { s.head_dim = 96; }), "");
  EXPECT_EQ(reason([](shape& s) { s.head_dim = 96, s.qk_norm = "RMSNorm over hidden"; }), "");
  EXPECT_NE(reason([](shape& s) { s.head_dim = 1024; }), "");
  EXPECT_NE(reason([](shape& s) { s.hidden = 100; }), "");
  EXPECT_NE(reason([](shape& s) { s.qk_norm = "LayerNorm per head"; }), "");
  EXPECT_NE(reason([](shape& s) { s.heads = 4000, s.qk_norm = "RMSNorm over hidden"; }), "");
}

}  // namespace
}  // namespace ithaca::bench
