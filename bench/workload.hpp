#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backend/device.hpp"
#include "backend/exchanger.hpp"
#include "backend/stream.hpp"
#include "kernels/check.hpp"

namespace ithaca::bench {

/// How the source tensors lie: each contiguous, or as views of one fused projection whose rows
/// hold all of them side by side.
enum class projection { split, fused };

/// The tensors of one exchange on one rank: sources filled with a pattern that differs by rank,
/// tag, position and iteration, and the check of what arrives.
///
/// A source holds `window` rows more than an exchange moves. Back-to-back exchanges read it at
/// shifts 0, 1, ..., `window`, so that every one of them carries other bytes everywhere without a
/// fill in between.
class workload {
 public:
  /// `specs` in the order of submission. `global_ranks`: of the group's ranks, by group rank.
  /// Throws `invalid_use` if the device has no room.
  workload(device& on, std::vector<tensor_spec> specs, int rank, std::vector<int> global_ranks,
           projection projected, std::int64_t window);

  /// Device bytes that a workload's sources take on `rank`.
  static std::size_t source_bytes(std::span<const tensor_spec> specs, int rank,
                                  std::int64_t window);

  const std::vector<tensor_spec>& specs() const { return specs_; }
  std::int64_t window() const { return window_; }

  /// Fills all sources with the contents of `iteration`.
  void fill(stream& on, std::uint64_t iteration) const;
  /// The source of tensor `index` as an exchange at `shift` reads it.
  source_view source(std::size_t index, std::int64_t shift) const;
  slice whole(std::size_t index) const;

  /// Compares all of tensor `index`'s target with what an exchange at `shift` must have brought.
  void check(stream& on, std::size_t index, const target_view& arrived, std::int64_t shift,
             std::uint64_t iteration) const;
  /// Overwrites a target, so that what does not arrive shows.
  void poison(stream& on, const target_view& target) const;

  /// What the checks found since the last reset. The streams that ran them must be idle.
  kernels::check_result findings() const;
  void reset_findings();
  /// Target bytes that one exchange's checks compare on this rank.
  std::uint64_t checked_bytes() const;

 private:
  kernels::tensor_shape source_shape(std::size_t index, int rank) const;
  kernels::tensor_shape target_shape(std::size_t index) const;
  std::vector<kernels::expected_block> expected(std::size_t index, std::int64_t shift,
                                                std::uint64_t iteration) const;

  device& device_;
  std::vector<tensor_spec> specs_;
  int rank_;
  std::vector<int> global_ranks_;
  std::int64_t window_;
  std::unique_ptr<memory> sources_;
  std::vector<source_view> views_;  // at shift 0
  std::unique_ptr<memory> findings_;
};

}  // namespace ithaca::bench
