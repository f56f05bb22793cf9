#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "backend/device.hpp"
#include "backend/exchanger.hpp"
#include "bench/stage/stage_sizes.hpp"
#include "kernels/check.hpp"
#include "kernels/matmul.hpp"

namespace ithaca::bench {

/// What a stage computes with on one rank, and what must arrive of it.
///
/// The layer's input is random, and differs by rank; the weights are random and the same on all.
/// Samples read the input at shifts 0, 1, ..., `stage_sizes::window` rows, so that those that
/// follow each other bring other bytes everywhere; a token's position goes with it. What must
/// arrive is computed once, by this rank for all ranks, in one piece and without an exchange. It is
/// compared within what bf16 can differ by where a product is split otherwise.
class stage_workload {
 public:
  /// `global_ranks`: of the group's ranks, by group rank. Throws `invalid_use` if the device has no
  /// room, or the build has no matrix product for it.
  stage_workload(device& on, const stage_sizes& sizes, int rank, std::vector<int> global_ranks,
                 kernels::rope_style rope);

  /// Device bytes that it takes on `rank`.
  static double required_bytes(const stage_sizes& sizes, int rank);

  const stage_sizes& sizes() const { return sizes_; }
  int rank() const { return rank_; }
  device& on() const { return device_; }
  /// Where all stages are computed.
  stream& compute() const { return *compute_; }

  // Kernels of a stage at `shift`, of these of the rank's rows, in every batch.

  /// Projects heads, by their place among those of Q, K and V.
  void project(index_range heads, index_range rows, std::int64_t shift,
               const operation_label& label);
  /// Normalises and rotates heads of Q or K. If `own` has data, the own chunk goes there instead of
  /// staying in place: the target of all heads.
  void normalise(qkv_tensor tensor, index_range heads, index_range rows, std::int64_t shift,
                 const target_view& own);
  /// Copies the own chunk of `tensor` into its target.
  void copy_own(qkv_tensor tensor, index_range rows, const target_view& own);
  // The same of all rows at shift 0, in memory of its own that no exchange reads.

  void project_beside();
  void normalise_beside();

  /// The tensor as an exchange reads it; `first_head` of it.
  source_view source(qkv_tensor tensor, std::int64_t first_head) const;

  /// Compares the whole target of a part with what a stage at `shift` must bring.
  void check(qkv_tensor tensor, int part, int parts, const target_view& arrived,
             std::int64_t shift) const;
  void poison(const target_view& target) const;
  kernels::check_result findings() const;
  void reset_findings();
  /// Target bytes that the checks of one stage compare on this rank.
  std::uint64_t checked_bytes() const;

 private:
  std::byte* output_beside();
  void fill_tables();
  /// The random input of a group rank, all stored rows.
  void fill_input(int of_rank, std::byte* to);
  void compute_expected();
  void finish();
  kernel_call product(std::byte* input, std::byte* output, index_range heads,
                      index_range rows) const;
  kernels::norm_rope_tensor norm_tensor(qkv_tensor tensor, index_range heads, index_range rows,
                                        std::byte* output, std::int64_t first_position) const;
  void launch_norm(std::vector<kernels::norm_rope_tensor> tensors, const operation_label& label);
  /// Where rows of the own chunk lie in the target of all heads.
  struct own_place {
    std::byte* target;
    std::size_t row_bytes;
    index_range heads;
  };
  own_place place_of_own(qkv_tensor tensor, index_range rows, std::int64_t batch,
                         const target_view& own) const;
  std::size_t input_batch_bytes(int of_rank) const;
  std::size_t output_batch_bytes() const;
  std::size_t expected_batch_bytes(int of_rank) const;

  device& device_;
  stage_sizes sizes_;
  int rank_;
  std::vector<int> global_ranks_;
  kernels::rope_style rope_;
  std::unique_ptr<stream> compute_;
  std::unique_ptr<memory> matmul_workspace_;
  kernels::matmul matmul_;
  std::unique_ptr<memory> weights_;       // (all heads x head_dim, hidden)
  std::unique_ptr<memory> norm_weights_;  // Q's, then K's
  std::unique_ptr<memory> cos_sin_;
  std::unique_ptr<memory> input_;                  // (batch, stored rows, hidden)
  std::unique_ptr<memory> output_;                 // (batch, rows, all heads x head_dim)
  std::vector<std::unique_ptr<memory>> expected_;  // by group rank: of all stored rows
  std::unique_ptr<memory> findings_;
  std::unique_ptr<memory> beside_;  // as `output_`; null until it is needed
};

}  // namespace ithaca::bench
