#include "bench/kernel_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "bench/kernel_probe_calls.hpp"

namespace ithaca::bench {
namespace {

using testing::ElementsAre;

head_layout small_layout(std::int64_t kv_heads, element_type type = element_type::bf16) {
  return head_layout({.batch = 2,
                      .sequence_shares = {5, 4, 4},
                      .query_heads = 8,
                      .kv_heads = kv_heads,
                      .head_dim = 32,
                      .type = type});
}

TEST(kernel_probe, measures_every_kernel_beside_a_copy) {
  host_device host;
  for (const projection projected : {projection::split, projection::fused}) {
    const auto rates = probe_kernels(host, {small_layout(8), projected});
    std::vector<std::string> kernels;
    for (const reports::kernel_rate& each : rates) {
      kernels.push_back(each.kernel);
      EXPECT_GT(each.gbps, 0);
      EXPECT_DOUBLE_EQ(each.copy_share, each.gbps / rates[0].gbps);
    }
    EXPECT_THAT(kernels, ElementsAre("copy", "norm_rope_kernel",
                                     "norm_rope_kernel, own chunks in their targets",
                                     "own_chunk_kernel", "copy of as many bytes as an own chunk",
                                     "pack_kernel", "relayout_kernel"));
    EXPECT_EQ(rates[0].copy_share, 1);
    // Read and written: of 2 batches of 5 rows Q and K's 8 heads of 64 bytes each.
    const std::uint64_t tensor = 2 * 2 * 5 * 8 * 64;
    EXPECT_EQ(rates[1].bytes, 2 * tensor);
    EXPECT_EQ(rates[2].bytes, 2 * tensor);
    EXPECT_EQ(rates[3].bytes, tensor / 8 * 3);  // rank 0 has three of the heads
    EXPECT_EQ(rates[4].bytes, rates[3].bytes);
    EXPECT_EQ(rates[5].bytes, 3 * tensor);
    EXPECT_EQ(rates[6].bytes, 3 * tensor / 8 * 3 / 5 * 13);
  }
}

TEST(kernel_probe, refuses_elements_that_the_kernels_do_not_know) {
  host_device host;
  EXPECT_THROW(probe_kernels(host, {small_layout(8, element_type::fp8)}), invalid_use);
}

/// Whether every declared byte lies in one of the areas.
void expect_inside(const kernel_call& call, const std::vector<std::span<const std::byte>>& areas) {
  for (const auto* ranges : {&call.reads, &call.writes}) {
    for (const pitched_bytes& range : *ranges) {
      const std::byte* end = range.data + (range.height - 1) * range.pitch + range.width;
      EXPECT_TRUE(std::ranges::any_of(areas, [&](const auto& area) {
        return range.data >= area.data() && end <= area.data() + area.size();
      })) << call.name;
    }
  }
}

std::uint64_t distinct_written(const kernel_call& call) {
  std::set<const std::byte*> written;
  for (const pitched_bytes& range : call.writes) {
    for (std::size_t row = 0; row < range.height; ++row) {
      for (std::size_t at = 0; at < range.width; ++at) {
        EXPECT_TRUE(written.insert(range.data + row * range.pitch + at).second) << call.name;
      }
    }
  }
  return written.size();
}

TEST(kernel_probe_calls, stay_in_their_areas_and_write_no_byte_twice) {
  for (const std::int64_t kv_heads : {8, 4, 2, 1}) {
    for (const projection projected : {projection::split, projection::fused}) {
      const kernel_probe_calls calls(
          {small_layout(kv_heads), projected, kernels::norm_scope::hidden});
      std::vector<std::byte> source(calls.source_bytes() + 16), target(calls.target_bytes() + 16);
      const std::vector<float> tables = calls.tables();
      EXPECT_EQ(tables.size(), calls.table_values());
      const std::vector<std::span<const std::byte>> areas = {
          std::span(source).first(calls.source_bytes()),
          std::span(target).first(calls.target_bytes()), std::as_bytes(std::span(tables))};
      const std::uint64_t row = 2 * 32;
      const std::uint64_t query = 2 * 5 * 8 * row;
      const std::uint64_t kv = 2 * 5 * static_cast<std::uint64_t>(kv_heads) * row;
      std::uint64_t packed = 0;
      for (const kernel_call& call :
           {calls.norm_rope(source.data(), tables.data(), nullptr),
            calls.norm_rope(source.data(), tables.data(), target.data()),
            calls.own_chunk(source.data(), target.data()), calls.pack(source.data(), target.data()),
            calls.relayout(source.data(), target.data())}) {
        expect_inside(call, areas);
        const std::uint64_t written = distinct_written(call);
        if (call.name == "norm_rope_kernel") {
          EXPECT_EQ(written, query + kv);
        }
        if (call.name == "pack_kernel") packed = written;
      }
      // At least everything once; KV heads that several ranks read more often.
      EXPECT_GE(packed, query + 2 * kv);
      EXPECT_EQ(packed == query + 2 * kv, kv_heads == 8) << kv_heads;
    }
  }
}

}  // namespace
}  // namespace ithaca::bench
