// Exchanges of a whole group carried out with plain loops, then spoilt in every way that a check
// must notice.

#include "bench/workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "backend/host/host_device.hpp"
#include "validation/unit/hang_limit.hpp"

namespace ithaca::bench {
namespace {

constexpr std::int64_t window = 3;

/// The workloads and targets of all ranks of a group, on one device.
class exchanged_group {
 public:
  exchanged_group(std::vector<tensor_spec> specs, projection projected) : specs_(specs) {
    for (int rank = 0; rank < degree(); ++rank) global_ranks_.push_back(10 + 3 * rank);
    for (int rank = 0; rank < degree(); ++rank) {
      loads_.push_back(
          std::make_unique<workload>(device_, specs, rank, global_ranks_, projected, window));
      for (const tensor_spec& spec : specs) {
        targets_.emplace_back(std::max<std::size_t>(1, spec.geometry.target_bytes(rank)));
      }
    }
  }

  int degree() const { return specs_[0].geometry.layout.degree(); }
  std::size_t tensors() const { return specs_.size(); }
  workload& load(int rank) { return *loads_[static_cast<std::size_t>(rank)]; }

  target_view target(int rank, std::size_t index) {
    auto& bytes = targets_[static_cast<std::size_t>(rank) * tensors() + index];
    return {bytes.data(), specs_[index].geometry.target_bytes(rank)};
  }

  /// Every rank's bytes of `iteration` to where they belong.
  void exchange(std::int64_t shift, std::uint64_t iteration) {
    for (int rank = 0; rank < degree(); ++rank) load(rank).fill(*stream_, iteration);
    finish();
    for (int rank = 0; rank < degree(); ++rank) {
      for (std::size_t index = 0; index < tensors(); ++index) move(rank, index, shift);
    }
  }

  void poison() {
    for (int rank = 0; rank < degree(); ++rank) {
      for (std::size_t index = 0; index < tensors(); ++index) {
        load(rank).poison(*stream_, target(rank, index));
      }
    }
    finish();
  }

  /// What all checks of one rank find.
  kernels::check_result findings(int rank, std::int64_t shift, std::uint64_t iteration) {
    load(rank).reset_findings();
    for (std::size_t index = 0; index < tensors(); ++index) {
      load(rank).check(*stream_, index, target(rank, index), shift, iteration);
    }
    finish();
    return load(rank).findings();
  }

  std::uint64_t mismatches(std::int64_t shift, std::uint64_t iteration) {
    std::uint64_t bytes = 0;
    for (int rank = 0; rank < degree(); ++rank) {
      bytes += findings(rank, shift, iteration).mismatched_bytes;
    }
    return bytes;
  }

  std::uint64_t checked_bytes() {
    std::uint64_t bytes = 0;
    for (int rank = 0; rank < degree(); ++rank) bytes += load(rank).checked_bytes();
    return bytes;
  }

 private:
  void finish() {
    ASSERT_TRUE(stream_->synchronize(std::chrono::steady_clock::now() + hang_limit));
  }

  void move(int rank, std::size_t index, std::int64_t shift) {
    const source_view view = load(rank).source(index, shift);
    const tensor_geometry& tensor = specs_[index].geometry;
    for (const pitched_copy& copy :
         plan_exchange(tensor, rank, load(rank).whole(index), view.strides)) {
      for (std::size_t row = 0; row < copy.height; ++row) {
        std::memcpy(target(copy.peer, index).data + copy.target_offset + row * copy.target_pitch,
                    view.data + copy.source_offset + row * copy.source_pitch, copy.width);
      }
    }
  }

  host_device device_;
  std::unique_ptr<stream> stream_ = device_.create_stream("test", stream_priority::normal);
  std::vector<tensor_spec> specs_;
  std::vector<int> global_ranks_;
  std::vector<std::unique_ptr<workload>> loads_;
  std::vector<std::vector<std::byte>> targets_;
};

std::vector<tensor_spec> scatters(const head_layout& layout) {
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

std::vector<tensor_spec> gather(const head_layout& layout) {
  return {{"o", {layout, head_set::query, direction::gather}}};
}

const head_layout uneven({2, {5, 0, 3}, 6, 2, 12, element_type::bf16});
const head_layout even({1, {4, 4}, 4, 4, 8, element_type::bf16});

TEST(workload, finds_nothing_wrong_in_right_exchanges) {
  for (const head_layout& layout : {uneven, even}) {
    for (const projection projected : {projection::split, projection::fused}) {
      for (const auto& specs : {scatters(layout), gather(layout)}) {
        exchanged_group group(specs, projected);
        for (std::int64_t shift = 0; shift <= window; ++shift) {
          group.poison();
          group.exchange(shift, 7);
          EXPECT_EQ(group.mismatches(shift, 7), 0u) << specs.size() << " tensors, shift " << shift;
        }
      }
    }
  }
}

TEST(workload, finds_one_flipped_byte_anywhere) {
  for (const auto& specs : {scatters(uneven), gather(uneven)}) {
    exchanged_group group(specs, projection::split);
    group.exchange(1, 3);
    for (std::size_t index = 0; index < group.tensors(); ++index) {
      const target_view target = group.target(2, index);
      for (std::size_t at = 0; at < target.size_bytes; at += 7) {
        target.data[at] ^= std::byte{1};
        const kernels::check_result found = group.findings(2, 1, 3);
        target.data[at] ^= std::byte{1};
        ASSERT_EQ(found.mismatched_bytes, 1u);
        ASSERT_EQ(found.first_mismatch, at);
      }
    }
  }
}

/// Nearly all bytes: some are equal by chance.
std::uint64_t nearly(std::uint64_t bytes) { return bytes * 95 / 100; }

TEST(workload, finds_what_did_not_arrive) {
  exchanged_group group(scatters(even), projection::split);
  group.exchange(0, 1);
  group.poison();
  EXPECT_GT(group.mismatches(0, 1), nearly(group.checked_bytes()));
}

TEST(workload, finds_the_contents_of_another_iteration) {
  for (const auto& specs : {scatters(uneven), gather(uneven)}) {
    exchanged_group group(specs, projection::fused);
    group.exchange(0, 4);
    EXPECT_GT(group.mismatches(0, 5), nearly(group.checked_bytes()));
  }
}

TEST(workload, finds_rows_of_another_shift) {
  for (const auto& specs : {scatters(uneven), gather(uneven)}) {
    exchanged_group group(specs, projection::fused);
    group.exchange(1, 4);
    EXPECT_GT(group.mismatches(2, 4), nearly(group.checked_bytes()));
  }
}

TEST(workload, finds_ranks_that_were_taken_for_each_other) {
  exchanged_group group(scatters(even), projection::split);
  group.exchange(0, 1);
  for (int rank = 0; rank < 2; ++rank) {
    for (std::size_t index = 0; index < group.tensors(); ++index) {
      const target_view target = group.target(rank, index);
      std::swap_ranges(target.data, target.data + target.size_bytes / 2,
                       target.data + target.size_bytes / 2);
    }
  }
  EXPECT_GT(group.mismatches(0, 1), nearly(group.checked_bytes()));
}

TEST(workload, finds_tensors_that_were_taken_for_each_other) {
  exchanged_group group(scatters(even), projection::split);
  group.exchange(0, 1);
  const target_view v = group.target(0, 0);
  std::swap_ranges(v.data, v.data + v.size_bytes, group.target(0, 2).data);
  EXPECT_GT(group.findings(0, 0, 1).mismatched_bytes, nearly(2 * v.size_bytes));
}

TEST(workload, adds_findings_up_until_they_are_reset) {
  exchanged_group group(scatters(even), projection::split);
  group.exchange(0, 1);
  group.target(0, 1).data[5] ^= std::byte{1};
  EXPECT_EQ(group.mismatches(0, 1), 1u);
  EXPECT_EQ(group.load(0).findings().first_mismatch, 5u);
  group.load(0).reset_findings();
  EXPECT_EQ(group.load(0).findings().mismatched_bytes, 0u);
  EXPECT_EQ(group.load(0).findings().first_mismatch, kernels::check_result::no_mismatch);
}

TEST(workload, lays_a_fused_projection_out_in_common_rows) {
  exchanged_group split(scatters(even), projection::split);
  exchanged_group fused(scatters(even), projection::fused);
  const std::size_t row = 4 * 16;
  for (std::size_t index = 0; index < 3; ++index) {
    EXPECT_EQ(split.load(0).source(index, 0).strides, (tensor_strides{(4 + window) * row, row}));
    EXPECT_EQ(fused.load(0).source(index, 0).strides,
              (tensor_strides{(4 + window) * 3 * row, 3 * row}));
    EXPECT_EQ(fused.load(0).source(index, 0).data, fused.load(0).source(0, 0).data + index * row);
    EXPECT_EQ(fused.load(0).source(index, 2).data,
              fused.load(0).source(index, 0).data + 2 * 3 * row);
  }
}

TEST(workload, knows_its_bytes) {
  exchanged_group group(scatters(uneven), projection::split);
  // 8 tokens of 2 query heads, and twice of the 2 KV heads that they read, in 2 batches of 24 bytes
  // a head.
  EXPECT_EQ(group.load(1).checked_bytes(), 8u * 2 * 24 * (2 + 2 + 2));
  // Windows alone: 3 rows of 6, 2 and 2 heads, each tensor at a multiple of 256 bytes.
  EXPECT_EQ(workload::source_bytes(scatters(uneven), 1, window), 1024u + 512 + 512);
}

}  // namespace
}  // namespace ithaca::bench
