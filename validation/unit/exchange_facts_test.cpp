#include "bench/exchange_facts.hpp"

#include <gtest/gtest.h>

namespace ithaca::bench {
namespace {

std::vector<tensor_spec> qkv(std::vector<std::int64_t> shares) {
  const auto degree = static_cast<std::int64_t>(shares.size());
  const head_layout layout({2, std::move(shares), 2 * degree, 2 * degree, 8, element_type::fp8});
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

TEST(exchange_facts, count_copies_by_tensor_peer_and_batch) {
  const exchange_facts facts = facts_of(qkv({5, 5, 5}), 1);
  EXPECT_EQ(facts.to_peers, (traces::copy_totals{3 * 2 * 2, 3u * 2 * 2 * 5 * 2 * 8}));
  EXPECT_EQ(facts.own, (traces::copy_totals{3 * 2, 3u * 2 * 5 * 2 * 8}));
  EXPECT_EQ(facts.peers, 2u);
  EXPECT_EQ(facts.peers_sent_to, 2u);
  EXPECT_EQ(facts.submits_sent, 3u);
  EXPECT_EQ(facts.submits_received, 3u);
}

TEST(exchange_facts, a_rank_without_tokens_sends_nothing_and_still_receives) {
  const exchange_facts facts = facts_of(qkv({1, 1, 0}), 2);
  EXPECT_EQ(facts.to_peers.count + facts.own.count, 0u);
  EXPECT_EQ(facts.peers, 2u);
  EXPECT_EQ(facts.peers_sent_to, 0u);
  EXPECT_EQ(facts.submits_sent, 0u);
  EXPECT_EQ(facts.submits_received, 3u);
}

TEST(exchange_facts, slices_are_submits_of_their_own) {
  const auto specs = qkv({5, 5, 5});
  const submitted_parts whole = {specs[0].geometry.whole_source(1)};
  const submitted_parts rows = {{{0, 3}, {0, 6}}, {{3, 2}, {0, 6}}};
  const submitted_parts heads_of_rank_0 = {{{0, 5}, {0, 2}}, {{0, 5}, {2, 4}}};
  const exchange_facts facts = facts_of(specs, 1, std::vector{whole, rows, heads_of_rank_0});
  EXPECT_EQ(facts.to_peers, (traces::copy_totals{(2 + 4 + 2) * 2, 3u * 2 * 2 * 5 * 2 * 8}));
  EXPECT_EQ(facts.own, (traces::copy_totals{(1 + 2 + 1) * 2, 3u * 2 * 5 * 2 * 8}));
  EXPECT_EQ(facts.submits, 5u);
  EXPECT_EQ(facts.submits_sent, 5u);
  EXPECT_EQ(facts.submits_sent_to_peers, 5u);
  EXPECT_EQ(facts.submits_kept, 4u);  // the heads of rank 0 are not for this one
  EXPECT_EQ(facts.submits_received, 4u);  // the heads of rank 0 are not for this one
}

TEST(exchange_facts, what_is_produced_in_place_is_not_copied) {
  auto specs = qkv({5, 5, 5});
  for (tensor_spec& spec : specs) spec.own = own_chunk::produced;
  const exchange_facts facts = facts_of(specs, 1);
  EXPECT_EQ(facts.own.count, 0u);
  EXPECT_EQ(facts.submits_kept, 0u);
  EXPECT_EQ(facts.to_peers.count, 3u * 2 * 2);
  EXPECT_EQ(facts.submits_sent, 3u);
}

}  // namespace
}  // namespace ithaca::bench
