#include "bench/stage/row_pieces.hpp"

#include <algorithm>
#include <cmath>

#include "backend/errors.hpp"

namespace ithaca::bench {
namespace {

constexpr std::int64_t tile_rows = 128;

}  // namespace

std::vector<index_range> shrinking_pieces(std::int64_t rows, int pieces, double shrink) {
  if (pieces > rows) {
    throw invalid_use(std::to_string(pieces) + " pieces of " + std::to_string(rows) +
                      " rows: use fewer pieces, or a longer sequence");
  }
  const std::int64_t tile = rows >= pieces * tile_rows ? tile_rows : 1;
  double parts = 0;  // in units of the last piece
  for (int piece = 0; piece < pieces; ++piece) parts += std::pow(shrink, piece);
  // From the last one, so that rounding goes to the first.
  std::vector<index_range> ranges(static_cast<std::size_t>(pieces));
  std::int64_t end = rows;
  for (int piece = pieces - 1; piece >= 0; --piece) {
    const double wanted = static_cast<double>(rows) * std::pow(shrink, pieces - 1 - piece) / parts;
    const std::int64_t rounded =
        std::max<std::int64_t>(1, std::llround(wanted / static_cast<double>(tile))) * tile;
    const std::int64_t count = piece == 0 ? end : std::min(rounded, end - piece * tile);
    end -= count;
    ranges[static_cast<std::size_t>(piece)] = {end, count};
  }
  return ranges;
}

}  // namespace ithaca::bench
