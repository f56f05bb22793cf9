// The README's example, whole: what a program has to write to exchange Q, K and V.

#include <gtest/gtest.h>

#include <cstring>

#include "backend/communicator.hpp"
#include "backend/direct_exchanger.hpp"
#include "backend/host/host_device.hpp"
#include "backend/threads/thread_group.hpp"

namespace ithaca {
namespace {

/// Grouped heads: 4 query heads read 2 KV heads.
std::vector<tensor_spec> layer(int degree) {
  const head_layout layout({.batch = 1,
                            .sequence_shares = even_shares(32, degree),
                            .query_heads = 4,
                            .kv_heads = 2,
                            .head_dim = 8,
                            .type = element_type::bf16});
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

void two_layers(group& ranks, device& gpu) {
  communicator exchange(
      ranks, {{"hybrid",
               [&] {
                 return std::make_unique<direct_exchanger>(
                     ranks, gpu,
                     direct_options{.moves = mover::hybrid, .push_exchange_up_to_bytes = 4096});
               }},
              {"ipc", [&] {
                 return std::make_unique<direct_exchanger>(
                     ranks, gpu, direct_options{.sharing = memory_sharing::handle});
               }}});
  const std::vector<tensor_spec> specs = layer(ranks.size());
  exchange.prepare(specs);

  const auto compute = gpu.create_stream("compute", stream_priority::normal);
  std::vector<std::unique_ptr<memory>> projected;
  for (const tensor_spec& spec : specs) {
    projected.push_back(gpu.allocate(spec.geometry.source_bytes(ranks.rank())));
    std::memset(projected.back()->data(), 1 + ranks.rank(), projected.back()->size_bytes());
  }
  for (int attention = 0; attention < 2; ++attention) {
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const tensor_geometry& tensor = specs[i].geometry;
      exchange.submit(specs[i].tag, tensor.whole_source(ranks.rank()),
                      {projected[i]->data(), tensor.contiguous_source(ranks.rank())}, *compute,
                      i + 1 == specs.size() ? submit_order::last : submit_order::more);
    }
    for (const tensor_spec& spec : specs) {
      const target_view arrived = exchange.wait(spec.tag, *compute);
      ASSERT_TRUE(compute->synchronize(ranks.deadline()));
      // The first half of the sequence is rank 0's, the second rank 1's.
      EXPECT_EQ(arrived.data[0], std::byte{1});
      EXPECT_EQ(arrived.data[arrived.size_bytes - 1], std::byte{2});
    }
    for (const tensor_spec& spec : specs) exchange.release(spec.tag, *compute);
  }
  EXPECT_TRUE(exchange.synchronize(ranks.deadline()));
  EXPECT_EQ(exchange.taken().name, "hybrid/push-exchange");
}

TEST(library_example, exchanges_two_layers_of_q_k_and_v) {
  run_thread_ranks(2, [](thread_group& ranks) {
    host_device gpu;
    two_layers(ranks, gpu);
  });
}

}  // namespace
}  // namespace ithaca
