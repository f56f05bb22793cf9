#include "backend/direct_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/push_exchange.hpp"

namespace ithaca {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Q, K and V of `tokens` on each of two ranks: 2 heads of 16 bf16 values for each rank.
std::vector<tensor_spec> qkv(std::int64_t tokens, std::int64_t batch = 1) {
  const head_layout layout({batch, {tokens, tokens}, 4, 4, 16, element_type::bf16});
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

constexpr std::size_t bytes_a_token = 3 * 2 * 16 * 2;  // to one peer

TEST(direct_options, a_push_exchange_takes_what_is_no_larger_than_its_limit) {
  const direct_options options{.moves = mover::hybrid,
                               .push_exchange_up_to_bytes = 8 * bytes_a_token};
  EXPECT_TRUE(goes_by_push_exchange(options, qkv(8)));
  EXPECT_FALSE(goes_by_push_exchange(options, qkv(9)));
  EXPECT_FALSE(goes_by_push_exchange({}, qkv(8)));
}

TEST(direct_options, the_limit_counts_what_the_largest_rank_sends) {
  const direct_options options{.moves = mover::hybrid,
                               .push_exchange_up_to_bytes = 8 * bytes_a_token};
  const head_layout layout({1, {1, 9}, 4, 4, 16, element_type::bf16});
  std::vector<tensor_spec> uneven = qkv(8);
  for (tensor_spec& spec : uneven) spec.geometry.layout = layout;
  EXPECT_FALSE(goes_by_push_exchange(options, uneven));
}

TEST(direct_options, only_a_hybrid_with_a_limit_chooses) {
  const head_layout layout({1, {1, 0, 0}, 3, 3, 1, element_type::fp8});
  const std::vector<tensor_spec> few = {{"o", {layout, head_set::query, direction::gather}}};
  EXPECT_FALSE(goes_by_push_exchange({}, few));
  EXPECT_FALSE(goes_by_push_exchange({.moves = mover::hybrid}, few));
  EXPECT_TRUE(goes_by_push_exchange({.moves = mover::hybrid, .push_exchange_up_to_bytes = 1}, few));
}

TEST(direct_options, a_push_exchange_signals_sixteen_peers_at_most) {
  const auto of_ranks = [](int degree) {
    const head_layout layout({1, even_shares(degree, degree), degree, degree, 1});
    return std::vector<tensor_spec>{{"o", {layout, head_set::query, direction::gather}}};
  };
  EXPECT_THAT(why_not_moved({.moves = mover::push_exchange}, of_ranks(17)), IsEmpty());
  EXPECT_THAT(why_not_moved({.moves = mover::push_exchange}, of_ranks(18)),
              HasSubstr("at most 16 peers"));
}

TEST(direct_options, more_pieces_than_one_launch_takes_go_another_way) {
  const direct_options hybrid{.moves = mover::hybrid,
                              .push_exchange_up_to_bytes = std::size_t{1} << 40};
  // A piece for each tensor, rank and batch.
  EXPECT_TRUE(goes_by_push_exchange(hybrid, qkv(8, 5)));
  EXPECT_FALSE(goes_by_push_exchange(hybrid, qkv(8, 6)));
  EXPECT_THAT(why_not_moved(hybrid, qkv(8, 6)), IsEmpty());
  EXPECT_THAT(why_not_moved({.moves = mover::push_exchange}, qkv(8, 5)), IsEmpty());
  EXPECT_THAT(why_not_moved({.moves = mover::push_exchange}, qkv(8, 6)),
              HasSubstr("the exchange takes 36 pitched pieces"));
  EXPECT_THAT(why_not_moved({.moves = mover::push_kernel}, qkv(8, 256)), IsEmpty());
  EXPECT_THAT(why_not_moved({.moves = mover::push_kernel}, qkv(8, 257)),
              HasSubstr("tag v takes 514 pitched pieces"));
}

TEST(direct_options, only_copies_of_epochs_are_paced) {
  const auto refusal = [](direct_options options) {
    options.order = peer_order::paced;
    return why_not_combined(options);
  };
  EXPECT_THAT(refusal({}), IsEmpty());
  EXPECT_THAT(refusal({.reuse = target_reuse::external}), IsEmpty());
  EXPECT_THAT(refusal({.moves = mover::hybrid}), IsEmpty());
  EXPECT_THAT(refusal({.words = signal_words::flags}), HasSubstr("choose epochs"));
  for (const mover each : {mover::push_kernel, mover::push_exchange}) {
    EXPECT_THAT(refusal({.moves = each}), HasSubstr("no steps to pace"));
  }
}

TEST(direct_options, lanes_are_of_copies_that_keep_no_order) {
  const auto refusal = [](direct_options options) {
    options.lanes = 2;
    return why_not_combined(options);
  };
  EXPECT_THAT(refusal({}), IsEmpty());
  EXPECT_THAT(refusal({.moves = mover::push_kernel}), HasSubstr("choose copy engines"));
  EXPECT_THAT(refusal({.order = peer_order::paced}), HasSubstr("choose one lane"));
  EXPECT_THAT(refusal({.words = signal_words::flags}), HasSubstr("choose epochs"));
  EXPECT_THAT(why_not_combined({.lanes = 0}), HasSubstr("one lane at least"));
  EXPECT_EQ(lanes_of({.lanes = 9}, 4), 3u);
  EXPECT_EQ(lanes_of({.lanes = 9}, 1), 1u);
}

TEST(direct_options, arrival_per_tensor_takes_a_signal_of_each_tensor_alone) {
  const auto refusal = [](direct_options options) {
    options.arrivals = arrival_scope::per_tensor;
    return why_not_combined(options);
  };
  EXPECT_THAT(refusal({.order = peer_order::paced}), IsEmpty());
  EXPECT_THAT(refusal({.moves = mover::push_kernel}), IsEmpty());
  EXPECT_THAT(refusal({.reuse = target_reuse::n_buffers}), HasSubstr("choose a handshake"));
  EXPECT_THAT(refusal({.words = signal_words::flags}), HasSubstr("choose epochs"));
  EXPECT_THAT(refusal({.moves = mover::hybrid}), HasSubstr("another mover"));
}

TEST(direct_options, what_is_packed_is_copied) {
  const auto refusal = [](direct_options options) {
    options.source = copy_source::packed;
    return why_not_combined(options);
  };
  EXPECT_THAT(refusal({.order = peer_order::paced}), IsEmpty());
  EXPECT_THAT(refusal({.moves = mover::push_kernel}), HasSubstr("for copy engines only"));
  EXPECT_THAT(refusal({.words = signal_words::flags}), HasSubstr("choose epochs"));
  EXPECT_THAT(why_not_moved({.source = copy_source::packed}, qkv(8, 257)),
              HasSubstr("tag v takes 514 pitched pieces"));
  EXPECT_THAT(why_not_moved({.own = own_chunk_way::kernel}, qkv(8, 513)),
              HasSubstr("the own chunk of tag v takes 513"));
}

TEST(direct_options, kernels_signal_epochs_of_copies_to_few_peers) {
  const auto refusal = [](direct_options options) {
    options.signals = signal_kind::kernel;
    return why_not_combined(options);
  };
  EXPECT_THAT(refusal({}), IsEmpty());
  EXPECT_THAT(refusal({.awaiting_blocks = 0}), HasSubstr("one thread block at least"));
  EXPECT_THAT(refusal({.words = signal_words::flags}), HasSubstr("choose stream writes"));
  EXPECT_THAT(refusal({.moves = mover::push_exchange}), HasSubstr("signals by itself"));
  EXPECT_EQ(kind_beside_arrival({.signals = signal_kind::kernel}), signal_kind::stream_write);
  EXPECT_EQ(kind_beside_arrival({.signals = signal_kind::staged_copy}), signal_kind::staged_copy);
}

}  // namespace
}  // namespace ithaca
