#include "backend/sim/pitched_overlap.hpp"

#include <algorithm>
#include <cstdint>

namespace ithaca::sim {
namespace {

using address = std::uintptr_t;

address begin_of(const pitched_bytes& bytes) { return reinterpret_cast<address>(bytes.data); }

/// Without gaps, one row says it all.
pitched_bytes simplest(pitched_bytes bytes) {
  if (bytes.height > 1 && bytes.pitch == bytes.width) {
    bytes.width *= bytes.height;
    bytes.height = 1;
  }
  if (bytes.height == 1) bytes.pitch = bytes.width;
  return bytes;
}

struct interval {
  address begin = 0;
  address end = 0;
};

interval row_of(const pitched_bytes& bytes, std::size_t row) {
  const address begin = begin_of(bytes) + row * bytes.pitch;
  return {begin, begin + bytes.width};
}

/// The first row of `bytes` that ends behind `at`; its height if there is none.
std::size_t first_row_behind(const pitched_bytes& bytes, address at) {
  if (at < begin_of(bytes) + bytes.width) return 0;
  const std::size_t row = (at - begin_of(bytes) - bytes.width) / bytes.pitch + 1;
  return std::min(row, bytes.height);
}

}  // namespace

const std::byte* end_of(const pitched_bytes& bytes) {
  if (bytes.height == 0) return bytes.data;
  return bytes.data + (bytes.height - 1) * bytes.pitch + bytes.width;
}

std::size_t byte_count(const pitched_bytes& bytes) { return bytes.width * bytes.height; }

std::optional<common_bytes> overlap(const pitched_bytes& a, const pitched_bytes& b) {
  if (byte_count(a) == 0 || byte_count(b) == 0) return std::nullopt;
  if (end_of(a) <= b.data || end_of(b) <= a.data) return std::nullopt;
  pitched_bytes fewer = simplest(a), more = simplest(b);
  if (fewer.height > more.height) std::swap(fewer, more);
  for (std::size_t row = first_row_behind(fewer, begin_of(more)); row < fewer.height; ++row) {
    const interval mine = row_of(fewer, row);
    const std::size_t met = first_row_behind(more, mine.begin);
    if (met == more.height) break;
    const interval theirs = row_of(more, met);
    if (theirs.begin < mine.end) {
      const address first = std::max(mine.begin, theirs.begin);
      return common_bytes{reinterpret_cast<const std::byte*>(first),
                          std::min(mine.end, theirs.end) - first};
    }
    // With one pitch all further rows lie to each other as these do.
    if (fewer.pitch == more.pitch && met > 0) break;
  }
  return std::nullopt;
}

bool covers(const pitched_bytes& outer, const pitched_bytes& inner) {
  if (byte_count(inner) == 0) return true;
  if (inner.data < outer.data || end_of(inner) > end_of(outer)) return false;
  const pitched_bytes whole = simplest(outer), part = simplest(inner);
  if (whole.height == 1) return true;
  for (std::size_t row = 0; row < part.height; ++row) {
    const interval mine = row_of(part, row);
    const std::size_t met = first_row_behind(whole, mine.begin);
    if (met == whole.height) return false;
    const interval theirs = row_of(whole, met);
    if (theirs.begin > mine.begin || theirs.end < mine.end) return false;
    if (part.pitch == whole.pitch) return met + part.height <= whole.height;
  }
  return true;
}

}  // namespace ithaca::sim
