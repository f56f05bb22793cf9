#include "backend/peer_routes.hpp"

#include <gtest/gtest.h>

namespace ithaca {
namespace {

constexpr auto many = static_cast<std::int64_t>(peer_routes::capacity);

tensor_geometry tensor() {
  return {head_layout({1, {many + 1, many + 1}, 2, 2, 8}), head_set::query, direction::scatter};
}

/// The route of one row.
const peer_route& of_row(peer_routes& routes, std::int64_t row) {
  const tensor_geometry of = tensor();
  slice part = of.whole_source(0);
  part.rows = {row, 1};
  return routes.find_or_make(of, 0, peer_order::rotated, part, of.contiguous_source(0));
}

TEST(peer_routes, are_made_once_for_each_slice) {
  peer_routes routes;
  of_row(routes, 0);
  of_row(routes, 1);
  of_row(routes, 0);
  EXPECT_EQ(routes.size(), 2u);
}

TEST(peer_routes, never_keep_more_than_their_capacity) {
  peer_routes routes;
  for (std::int64_t row = 0; row < many; ++row) of_row(routes, row);
  EXPECT_EQ(routes.size(), peer_routes::capacity);
  of_row(routes, 0);  // known
  EXPECT_EQ(routes.size(), peer_routes::capacity);
  for (const std::int64_t row : {many, std::int64_t{0}}) {
    const peer_route& route = of_row(routes, row);
    EXPECT_EQ(route.part.rows.begin, row);
    ASSERT_EQ(route.to_peers.size(), 1u);
    EXPECT_EQ(route.to_peers[0].bytes(), 1u * 8 * 2);  // one row of one head
    EXPECT_LE(routes.size(), peer_routes::capacity);
  }
}

TEST(peer_routes, of_paced_order_are_rotated) {
  EXPECT_EQ(peers_in_order(2, 4, peer_order::rotated), (std::vector{3, 0, 1}));
  EXPECT_EQ(peers_in_order(2, 4, peer_order::paced), (std::vector{3, 0, 1}));
  EXPECT_EQ(peers_in_order(2, 4, peer_order::naive), (std::vector{0, 1, 3}));
}

}  // namespace
}  // namespace ithaca
