#include "backend/head_layout.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

std::vector<index_range> consecutive(const std::vector<std::int64_t>& counts, std::int64_t scale) {
  std::vector<index_range> ranges;
  std::int64_t begin = 0;
  for (const std::int64_t count : counts) {
    ranges.push_back({begin * scale, count * scale});
    begin += count;
  }
  return ranges;
}

/// The KV heads read by a range of query heads, `group` query heads to each.
index_range read_by(const index_range& query, std::int64_t group) {
  const std::int64_t begin = query.begin / group;
  return {begin, (query.end() + group - 1) / group - begin};
}

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw invalid_use(otherwise);
}

}  // namespace

index_range intersect(const index_range& a, const index_range& b) {
  const std::int64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max<std::int64_t>(0, std::min(a.end(), b.end()) - begin)};
}

std::vector<std::int64_t> even_shares(std::int64_t total, int parts) {
  std::vector<std::int64_t> shares(static_cast<std::size_t>(parts), total / parts);
  std::fill_n(shares.begin(), total % parts, total / parts + 1);
  return shares;
}

head_layout::head_layout(extent of) : extent_(std::move(of)), sequence_begin_{0} {
  const auto& shares = extent_.sequence_shares;
  require(!shares.empty(), "a layout needs at least one rank");
  require(std::ranges::all_of(shares, [](std::int64_t share) { return share >= 0; }),
          "a sequence share is negative");
  require(std::accumulate(shares.begin(), shares.end(), std::int64_t{0}) > 0,
          "a layout needs at least one token");
  require(
      extent_.batch > 0 && extent_.head_dim > 0 && extent_.kv_heads > 0 && extent_.query_heads > 0,
      "batch, heads and head size must be positive");
  require(extent_.query_heads % extent_.kv_heads == 0,
          std::to_string(extent_.query_heads) + " query heads are no multiple of " +
              std::to_string(extent_.kv_heads) + " KV heads");
  require(extent_.query_heads >= degree(),
          std::to_string(extent_.query_heads) + " query heads can't be shared by " +
              std::to_string(degree()) + " ranks: use a degree of at most the query heads");

  std::partial_sum(shares.begin(), shares.end(), std::back_inserter(sequence_begin_));
  const std::int64_t group = extent_.query_heads / extent_.kv_heads;
  if (group == 1 || extent_.kv_heads % degree() == 0) {
    kv_share_ = consecutive(even_shares(extent_.kv_heads, degree()), 1);
    query_share_ = consecutive(even_shares(extent_.kv_heads, degree()), group);
  } else {
    query_share_ = consecutive(even_shares(extent_.query_heads, degree()), 1);
    for (const index_range& query : query_share_) kv_share_.push_back(read_by(query, group));
  }
}

std::size_t head_layout::head_bytes() const {
  return static_cast<std::size_t>(extent_.head_dim) * size_bytes(extent_.type);
}

index_range head_layout::sequence(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  return {sequence_begin_[at], extent_.sequence_shares[at]};
}

std::int64_t head_layout::head_count(head_set set) const {
  return set == head_set::query ? extent_.query_heads : extent_.kv_heads;
}

index_range head_layout::heads(head_set set, int rank) const {
  return (set == head_set::query ? query_share_ : kv_share_)[static_cast<std::size_t>(rank)];
}

bool head_layout::even() const {
  const auto equal = [](const std::vector<index_range>& ranges) {
    return std::ranges::all_of(ranges,
                               [&](const index_range& r) { return r.count == ranges[0].count; });
  };
  const auto& shares = extent_.sequence_shares;
  return std::ranges::all_of(shares, [&](std::int64_t share) { return share == shares[0]; }) &&
         equal(query_share_) && equal(kv_share_);
}

std::size_t head_layout::sequence_parallel_bytes(head_set set, int rank) const {
  return static_cast<std::size_t>(extent_.batch * sequence(rank).count * head_count(set)) *
         head_bytes();
}

std::size_t head_layout::head_parallel_bytes(head_set set, int rank) const {
  return static_cast<std::size_t>(extent_.batch * tokens() * heads(set, rank).count) * head_bytes();
}

}  // namespace ithaca
