#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/element_type.hpp"

namespace ithaca {

/// A half-open range of heads or rows: [begin, begin + count).
struct index_range {
  std::int64_t begin = 0;
  std::int64_t count = 0;
  std::int64_t end() const { return begin + count; }
  bool operator==(const index_range&) const = default;
};

index_range intersect(const index_range& a, const index_range& b);

/// Which heads a tensor has: Q and O carry the query heads, K and V the KV heads.
enum class head_set { query, kv };

/// How one attention layer's tensors are divided over a Ulysses group of `degree()` ranks.
///
/// Before a scatter rank r holds `(batch, sequence(r).count, heads, head_dim)`, after it
/// `(batch, tokens, heads(r).count, head_dim)`.
///
/// Head shares: where the KV heads divide evenly over the ranks, and where each query head has
/// its own KV head, shares are whole KV groups, as even as possible, the first ranks taking the
/// remainder. Otherwise the query heads are shared as evenly as possible, since attention's cost
/// follows them, and each rank receives every KV head that its query heads read, so that one can
/// go to two ranks (28 query and 7 KV heads at degree 4: ranks 0 and 1 both read KV head 1).
class head_layout {
 public:
  struct extent {
    std::int64_t batch = 1;
    std::vector<std::int64_t> sequence_shares;  ///< tokens of each rank, in sequence order
    std::int64_t query_heads = 0;
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0;
    element_type type = element_type::bf16;
    bool operator==(const extent&) const = default;
  };

  /// Throws `invalid_use` unless every size is positive, no share is negative, KV heads divide
  /// the query heads, and every rank gets at least one query head.
  explicit head_layout(extent of);

  int degree() const { return static_cast<int>(extent_.sequence_shares.size()); }
  std::int64_t batch() const { return extent_.batch; }
  std::int64_t tokens() const { return sequence_begin_.back(); }
  std::int64_t head_dim() const { return extent_.head_dim; }
  element_type type() const { return extent_.type; }
  /// Bytes of one head of one token.
  std::size_t head_bytes() const;

  /// The tokens that `rank` holds before the scatter.
  index_range sequence(int rank) const;
  std::int64_t head_count(head_set set) const;
  /// The heads that `rank` holds after the scatter.
  index_range heads(head_set set, int rank) const;
  /// Whether every pair of ranks exchanges equally many bytes.
  bool even() const;

  /// Bytes of one tensor on `rank` before and after the scatter.
  std::size_t sequence_parallel_bytes(head_set set, int rank) const;
  std::size_t head_parallel_bytes(head_set set, int rank) const;

  const extent& extents() const { return extent_; }
  bool operator==(const head_layout& other) const { return extent_ == other.extent_; }

 private:
  extent extent_;
  std::vector<std::int64_t> sequence_begin_;
  std::vector<index_range> query_share_;
  std::vector<index_range> kv_share_;
};

/// `total` divided over `parts`, as evenly as possible, the first parts taking the remainder.
std::vector<std::int64_t> even_shares(std::int64_t total, int parts);

}  // namespace ithaca
