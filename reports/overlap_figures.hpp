#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "reports/json.hpp"

namespace ithaca::reports {

/// What ran beside one tensor's way to the peers.
struct tag_overlap_figures {
  std::int64_t moving_ns = 0;   ///< while its bytes were on their way
  std::int64_t overlap_ns = 0;  ///< of it, beside any computation
  std::uint64_t windows = 0;    ///< in so many stretches
  /// Of it, beside each computation, by name. Where two computations run at once, both have it.
  std::map<std::string, std::int64_t> beside_ns = {};
  bool operator==(const tag_overlap_figures&) const = default;
};

/// What overlapped in one run of a stage in the traced pass, on the rank that waited longest.
struct overlap_figures {
  int rank = 0;                       ///< global rank
  std::int64_t stage_ns = 0;          ///< `compute_ns` + `exposed_ns`
  std::int64_t compute_ns = 0;        ///< computing
  std::int64_t communication_ns = 0;  ///< communicating: to peers, within the rank, or both at once
  std::int64_t to_peers_ns = 0;       ///< copies to peers, a library's kernels
  std::int64_t within_rank_ns = 0;    ///< own chunk, pack, relayout
  std::int64_t hidden_ns = 0;         ///< communicating beside computation
  std::int64_t exposed_ns = 0;  ///< the stage without its computation: what the consumer waits
  std::map<std::string, tag_overlap_figures> tags = {};
  /// SMs that the kernels of the exchanges hold, on average while they communicate; empty where the
  /// device does not tell. Local copies that the driver makes on SMs are not counted.
  std::optional<double> sms_held = std::nullopt;
  /// Times as long as alone, by `compute_ns` and `communication_ns`.
  std::optional<double> compute_slowdown = std::nullopt;
  std::optional<double> communication_slowdown = std::nullopt;
  /// Of the time that an ideal overlap saves, the share that was saved; below 0 if the stage takes
  /// longer than one part after the other.
  std::optional<double> ideal_share = std::nullopt;
  bool operator==(const overlap_figures&) const = default;
};

/// The share of its communication that computation hides; empty without communication.
std::optional<double> hidden_fraction(const overlap_figures& of);

/// `of` with the figures that compare it with its computation alone and its communication alone,
/// each empty where nothing was measured.
///
/// With C and M the `stage_ns` of the two alone, the ideal stage takes max(C, M), and `ideal_share`
/// is (C + M - stage) / (C + M - max(C, M)). So the Intel MPI Benchmarks report the overlap of
/// their non-blocking benchmarks (src_c/IMB_output.c: (t_pure + t_comp - t_ovrlp) / min(t_pure,
/// t_comp)), there cut off at 0 and 1; "Optimizing ML Concurrent Computation and Communication with
/// GPU DMA Engines" (arXiv 2412.14335) takes the same two bounds for its ideal speed-up. A ratio
/// whose denominator is 0 is left out.
overlap_figures compared(overlap_figures of, const std::optional<overlap_figures>& compute_alone,
                         const std::optional<overlap_figures>& communication_alone);

/// Throws `std::invalid_argument`, naming `place`, for figures that contradict each other.
json to_json(const overlap_figures& from, const std::string& place);
/// Throws `std::invalid_argument`, naming `place`, for what are no such figures.
overlap_figures overlap_figures_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
