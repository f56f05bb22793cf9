#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reports/sample_matrix.hpp"

namespace ithaca::reports {

/// What the metrics of one measured cell are computed from. Samples are those of the rounds that
/// count (`settle_throttling`).
struct cell_inputs {
  sample_matrix samples;
  /// Exchanges that one sample spans: 1 isolated, N pipelined. Metrics are per exchange.
  std::uint64_t exchanges_per_sample = 1;
  /// Bytes that leave one rank for others in an exchange; of the rank with the most.
  std::uint64_t peer_bytes = 0;
  /// Bytes of all source tensors of one rank; of the rank with the most.
  std::uint64_t source_bytes = 0;
  int degree = 0;
  /// The slowest ordered pair's contiguous peer copy in the same run.
  std::optional<double> ceiling_bytes_per_second = std::nullopt;
  /// The reference arm's samples of the same rounds, with the same exchanges a sample.
  std::optional<sample_matrix> reference = std::nullopt;
  /// The samples hold computation, too: no rate of bytes describes them.
  bool contains_computation = false;
  /// The samples of the same rounds of the computation without an exchange.
  std::optional<sample_matrix> compute_only = std::nullopt;
  /// Of exchanges beside a computation: the same exchanges alone, of the same rounds.
  std::optional<sample_matrix> communication_only = std::nullopt;
  /// Host time to submit one exchange, each the maximum over ranks.
  std::vector<std::int64_t> submit_ns = {};
  /// Host time of the preparation and of the first exchange, from its submit until all has arrived;
  /// each the largest of all ranks.
  std::optional<std::int64_t> prepare_ns = std::nullopt;
  std::optional<std::int64_t> first_exchange_ns = std::nullopt;
  /// Device memory that the arm holds on one rank.
  std::uint64_t memory_bytes = 0;
  /// Bytes that one rank sends beyond the tensors' own; of the rank with the most.
  std::uint64_t padding_bytes = 0;
  /// Among how many ratios between arms of its report this cell's are, which share the false
  /// alarms.
  std::size_t comparisons = 1;
  /// What checking one exchange costs inside the samples; pipelined mode only.
  std::optional<std::int64_t> checker_ns = std::nullopt;
  /// Seeds the bootstraps.
  std::uint64_t seed = 0;
};

}  // namespace ithaca::reports
