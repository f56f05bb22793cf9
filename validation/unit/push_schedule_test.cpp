#include "kernels/push_schedule.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "kernels/row_parts.hpp"
#include "kernels/unit_stepper.hpp"

namespace ithaca::kernels {
namespace {

/// The tiles in the order in which blocks that keep step take them.
std::vector<std::uint32_t> visits(const tile_spread& spread, std::uint32_t blocks) {
  std::vector<tile_walk> walks;
  for (std::uint32_t block = 0; block < blocks; ++block) walks.emplace_back(spread, block, blocks);
  std::vector<std::uint32_t> order;
  for (bool more = true; more;) {
    more = false;
    for (tile_walk& walk : walks) {
      if (walk.left() == 0) continue;
      order.push_back(walk.at());
      walk.next();
      more = true;
    }
  }
  return order;
}

TEST(push_schedule, blocks_take_every_tile_once) {
  for (const std::uint32_t tiles : {0u, 1u, 2u, 3u, 4u, 6u, 8u, 64u, 97u, 1000u, 4096u, 30'030u}) {
    for (const std::uint32_t blocks : {1u, 2u, 5u, 64u, 132u, 5000u}) {
      const tile_spread spread = spread_over(tiles, blocks);
      std::vector<int> times(tiles);
      for (const std::uint32_t tile : visits(spread, blocks)) {
        ASSERT_LT(tile, tiles);
        ++times[tile];
      }
      ASSERT_EQ(times, std::vector<int>(tiles, 1)) << tiles << " tiles, " << blocks << " blocks";
    }
  }
}

TEST(push_schedule, walks_do_not_overflow) {
  const tile_spread spread = spread_over(2'147'483'647, 132);
  tile_walk walk(spread, 131, 132);
  EXPECT_EQ(walk.left(), 2'147'483'647u / 132);
  for (std::uint64_t visit = 131; visit < 132 * 1000; visit += 132) {
    ASSERT_EQ(walk.at(), visit * spread.stride % spread.tiles);
    walk.next();
  }
}

TEST(push_schedule, serves_every_peer_its_share_at_any_time) {
  const std::uint32_t peers = 7;
  for (const std::uint32_t tiles : {700u, 1024u, 4099u, 30'030u}) {
    const std::vector<std::uint32_t> order = visits(spread_over(tiles, 32), 32);
    // Any 32 in succession: what the blocks have in hand.
    for (std::size_t first = 0; first + 32 <= order.size(); ++first) {
      std::vector<int> in_hand(peers);
      for (std::size_t at = first; at < first + 32; ++at) ++in_hand[order[at] * peers / tiles];
      for (const int count : in_hand) {
        ASSERT_GE(count, 3) << tiles << " tiles, visit " << first;
        ASSERT_LE(count, 6) << tiles << " tiles, visit " << first;
      }
    }
  }
}

TEST(push_schedule, gives_all_blocks_as_many_tiles) {
  std::mt19937 random(5);
  const auto up_to = [&](std::uint64_t limit) {
    return std::uniform_int_distribution<std::uint64_t>(0, limit)(random);
  };
  const tile_limits limits = {32, 4096};
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t blocks = 1 + up_to(131);
    std::vector<std::uint64_t> regions(1 + up_to(up_to(1) == 0 ? 7 : 511));
    std::uint64_t units = 0;
    for (std::uint64_t& region : regions) units += region = 1 + up_to(1u << up_to(20));
    const std::uint32_t tile = balanced_tile_units(units, regions.size(), blocks, limits);
    ASSERT_GE(tile, limits.least);
    ASSERT_LE(tile, limits.most);
    ASSERT_EQ(tile % 32, 0u);
    std::uint64_t tiles = 0;
    for (const std::uint64_t region : regions) tiles += (region + tile - 1) / tile;
    // No more rounds than the largest tiles would take, but for the regions' last ones.
    const std::uint64_t rounds = (units / limits.most + regions.size()) / blocks + 1;
    ASSERT_LE(tiles, rounds * blocks) << units << " units in " << regions.size() << " regions";
  }
}

TEST(push_schedule, spreads_few_bytes_over_the_blocks) {
  const tile_limits limits = {256, 4096};
  EXPECT_EQ(balanced_tile_units(0, 0, 64, limits), 256u);
  EXPECT_EQ(balanced_tile_units(4096, 1, 64, limits), 256u);       // 16 blocks
  EXPECT_EQ(balanced_tile_units(65'536, 1, 64, limits), 1056u);    // 63 blocks
  EXPECT_EQ(balanced_tile_units(1u << 30, 1, 64, limits), 4096u);  // many rounds
  EXPECT_EQ(balanced_tile_units(100, 512, 1, limits), 256u);       // more regions than blocks
}

TEST(unit_stepper, comes_where_a_division_says) {
  for (const std::uint32_t unit_bytes : {1u, 16u}) {
    for (const std::uint64_t row_units :
         {1ull, 2ull, 3ull, 16ull, 255ull, 448ull, 512ull, 513ull, 5000ull, (1ull << 33) + 1}) {
      for (const std::uint32_t units : {128u, 512u, 1024u}) {
        const std::uint64_t width = row_units * unit_bytes;
        const std::uint64_t pitch = 3 * width + 48;
        const unit_stepper stepper(width, unit_bytes, units);
        for (const std::uint64_t first :
             std::initializer_list<std::uint64_t>{0, 77, row_units - 1, 10 * row_units + 1}) {
          const auto address = [&](std::uint64_t unit) {
            return unit / row_units * pitch + unit % row_units * unit_bytes;
          };
          const char* const base = nullptr;
          const char* at = base + address(first);
          std::uint64_t column = first % row_units * unit_bytes;
          for (std::uint64_t step = 0; step < 20; ++step) {
            ASSERT_EQ(static_cast<std::uint64_t>(at - base), address(first + step * units))
                << "step " << step << " of " << units << " in rows of " << row_units;
            stepper.advance(at, column, pitch);
          }
        }
      }
    }
  }
}

TEST(row_run, is_the_sum_of_its_parts) {
  for (const std::uint64_t width : {16ull, 48ull, 256ull, 7168ull, 1ull << 34}) {
    for (const std::uint64_t skip :
         std::initializer_list<std::uint64_t>{0, width / 32 * 16, width - 16}) {
      for (const std::uint32_t bytes : {16u, 32u, 256u, 4096u, 16'384u}) {
        const row_run run = {width, skip, bytes};
        std::uint64_t done = 0;
        std::uint64_t row = 0;
        for (; run.has(row); ++row) {
          const row_part part = run.part(row);
          ASSERT_EQ(part.offset, done);
          ASSERT_EQ(row * width + part.column, skip + done);
          ASSERT_GT(part.bytes, 0u);
          ASSERT_LE(part.column + part.bytes, width);
          done += part.bytes;
        }
        ASSERT_EQ(done, bytes) << width << " a row, from " << skip;
        ASSERT_FALSE(run.has(row + 31));
      }
    }
  }
}

}  // namespace
}  // namespace ithaca::kernels
