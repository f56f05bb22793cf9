#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/move_regions.hpp"
#include "kernels/push.hpp"
#include "validation/unit/shifted_buffer.hpp"

namespace ithaca::kernels {
namespace {

using builder = std::function<kernel_call(std::vector<copy_region>)>;

const std::pair<const char*, builder> movers[] = {
    {"pack_kernel", pack},
    {"relayout_kernel", relayout},
    {"own_chunk_kernel", copy_own_chunk},
    {"push_kernel", [](auto regions) { return push(std::move(regions), {.ctas = 3}); }},
    {"push_bulk_kernel",
     [](auto regions) {
       return push(std::move(regions), {.ctas = 3, .stores = push_stores::bulk});
     }},
};

/// Regions of random sizes one after the other, checked against a plain copy.
void move_random_regions(const builder& mover, std::size_t count, std::size_t unit,
                         std::size_t past, unsigned seed) {
  std::mt19937 random(seed);
  const auto up_to = [&](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit)(random);
  };
  std::vector<copy_region> regions(count);
  std::size_t source_bytes = 0;
  std::size_t target_bytes = 0;
  for (copy_region& region : regions) {
    region.width = unit * up_to(up_to(9) == 0 ? 3000 : 40);
    region.height = up_to(12);
    region.source_pitch = region.width + unit * up_to(3);
    region.target_pitch = region.width + unit * up_to(3);
    source_bytes += region.height * region.source_pitch;
    target_bytes += region.height * region.target_pitch;
  }
  shifted_buffer source(source_bytes, past);
  shifted_buffer target(target_bytes, past);
  std::vector<std::byte> expected(target_bytes, std::byte{0x5a});
  for (std::size_t i = 0; i < source_bytes; ++i) {
    source[i] = static_cast<std::byte>((i * 2'654'435'769u + seed) >> 24);
  }

  std::size_t source_at = 0;
  std::size_t target_at = 0;
  for (copy_region& region : regions) {
    region.source = source.data() + source_at;
    region.target = target.data() + target_at;
    for (std::size_t row = 0; row < region.height; ++row) {
      for (std::size_t byte = 0; byte < region.width; ++byte) {
        expected[target_at + row * region.target_pitch + byte] =
            source[source_at + row * region.source_pitch + byte];
      }
    }
    source_at += region.height * region.source_pitch;
    target_at += region.height * region.target_pitch;
  }
  mover(regions).host();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), target.data()))
      << count << " regions of multiples of " << unit << ", shifted by " << past;
}

TEST(copy_regions, move_the_rows_and_nothing_else) {
  unsigned seed = 1;
  for (const auto& [name, mover] : movers) {
    SCOPED_TRACE(name);
    for (const std::size_t count : {0u, 1u, 2u, 31u, 32u, 33u, 512u}) {
      for (const std::size_t unit : {1u, 8u, 16u}) {
        for (const std::size_t past : {0u, 3u}) {
          move_random_regions(mover, count, unit, past, seed++);
        }
      }
    }
  }
}

TEST(copy_regions, declare_what_they_touch) {
  std::vector<std::byte> source(100);
  std::vector<std::byte> target(100);
  const copy_region region = {source.data(), 10, target.data(), 20, 8, 4};
  for (const auto& [name, mover] : movers) {
    const kernel_call call = mover({region});
    EXPECT_EQ(call.name, name);
    ASSERT_EQ(call.reads.size(), 1u);
    ASSERT_EQ(call.writes.size(), 1u);
    EXPECT_EQ(call.reads[0].data, source.data());
    EXPECT_EQ(call.reads[0].pitch, 10u);
    EXPECT_EQ(call.writes[0].data, target.data());
    EXPECT_EQ(call.writes[0].pitch, 20u);
    EXPECT_EQ(call.writes[0].width, 8u);
    EXPECT_EQ(call.writes[0].height, 4u);
  }
}

TEST(copy_regions, refuse_too_many_and_rows_wider_than_their_pitch) {
  std::vector<std::byte> bytes(64);
  const copy_region good = {bytes.data(), 16, bytes.data() + 32, 16, 16, 1};
  copy_region narrow_source = good;
  narrow_source.source_pitch = 15;
  copy_region narrow_target = good;
  narrow_target.target_pitch = 15;
  for (const auto& [name, mover] : movers) {
    SCOPED_TRACE(name);
    EXPECT_NO_THROW(mover(std::vector(max_copy_regions, good)));
    EXPECT_THROW(mover(std::vector(max_copy_regions + 1, good)), std::length_error);
    EXPECT_THROW(mover({narrow_source}), std::invalid_argument);
    EXPECT_THROW(mover({narrow_target}), std::invalid_argument);
    // One without bytes doesn't count.
    std::vector<copy_region> many(max_copy_regions + 1, good);
    many.back().height = 0;
    EXPECT_NO_THROW(mover(many));
  }
}

TEST(copy_regions, are_vectors_only_where_everything_is_aligned) {
  alignas(16) std::byte bytes[128];
  const copy_region aligned = {bytes, 32, bytes + 64, 32, 16, 2};
  EXPECT_TRUE(aligned.vectors());
  const auto but = [&](auto change) {
    copy_region region = aligned;
    change(region);
    return region.vectors();
  };
  EXPECT_FALSE(but([](auto& region) { region.source += 8; }));
  EXPECT_FALSE(but([](auto& region) { region.target += 8; }));
  EXPECT_FALSE(but([](auto& region) { region.source_pitch = 24; }));
  EXPECT_FALSE(but([](auto& region) { region.target_pitch = 24; }));
  EXPECT_FALSE(but([](auto& region) { region.width = 8; }));
}

TEST(push, needs_a_thread_block) {
  for (const push_stores stores : {push_stores::vector16, push_stores::bulk}) {
    EXPECT_THROW(push({}, {.ctas = 0, .stores = stores}), std::invalid_argument);
    EXPECT_THROW(push({}, {.ctas = -1, .stores = stores}), std::invalid_argument);
    EXPECT_NO_THROW(push({}, {.ctas = 1, .stores = stores}));
  }
}

}  // namespace
}  // namespace ithaca::kernels
