#include "reports/metrics.hpp"

#include <array>
#include <stdexcept>

#include "reports/sensitivity.hpp"
#include "reports/statistics.hpp"
#include "reports/units.hpp"

namespace ithaca::reports {
namespace {

double exchanges(const cell_inputs& cell) { return static_cast<double>(cell.exchanges_per_sample); }

estimate scaled(const estimate& by, double factor) {
  estimate result{by.value * factor};
  if (by.ci95) result.ci95 = interval{by.ci95->low * factor, by.ci95->high * factor};
  return result;
}

estimate exchange_ns(const cell_inputs& cell) {
  return scaled(median_over_rounds(cell.samples.round_medians_ns(), cell.seed),
                1 / exchanges(cell));
}

/// Bytes per nanosecond, which are GB/s (1e9 bytes), times `factor`.
std::optional<estimate> rate(double bytes, const cell_inputs& cell, double factor = 1) {
  if (cell.contains_computation) return std::nullopt;
  const estimate time_ns = exchange_ns(cell);
  return scaled(
      {bytes / time_ns.value, interval{bytes / time_ns.ci95->high, bytes / time_ns.ci95->low}},
      factor);
}

std::optional<estimate> time_us(const cell_inputs& cell) {
  return scaled(exchange_ns(cell), 1 / ns_per_us);
}

template <int percent>
std::optional<estimate> time_percentile_us(const cell_inputs& cell) {
  return estimate{percentile(cell.samples.all_ns(), percent) / exchanges(cell) / ns_per_us};
}

std::optional<estimate> goodput_gbps(const cell_inputs& cell) {
  return rate(static_cast<double>(cell.peer_bytes), cell);
}

std::optional<estimate> ceiling_share(const cell_inputs& cell) {
  if (!cell.ceiling_bytes_per_second) return std::nullopt;
  return rate(static_cast<double>(cell.peer_bytes), cell, 1e9 / *cell.ceiling_bytes_per_second);
}

std::optional<double> relative_error(const cell_inputs& cell) {
  const round_values times = cell.samples.round_medians_ns();
  if (!cell.reference || *cell.reference == cell.samples) {
    return log_standard_error(*median_over_rounds(times, cell.seed).ci95, times);
  }
  const round_values reference = cell.reference->round_medians_ns();
  return log_standard_error(*ratio_over_rounds(reference, times, cell.seed).ci95,
                            ratios_of_rounds(reference, times));
}

/// Against the reference; of the reference itself and without one, in the time.
std::optional<estimate> detectable_slowdown(const cell_inputs& cell) {
  const std::optional<double> error = relative_error(cell);
  if (!error) return std::nullopt;
  const auto degrees = cell.samples.round_count() - cell.samples.launches().size();
  return estimate{smallest_slowdown_of_run(*error, cell.comparisons, static_cast<double>(degrees))};
}

std::optional<estimate> speedup(const cell_inputs& cell) {
  if (!cell.reference) return std::nullopt;
  return ratio_over_rounds(cell.reference->round_medians_ns(), cell.samples.round_medians_ns(),
                           cell.seed);
}

std::optional<estimate> over_compute(const cell_inputs& cell) {
  if (!cell.compute_only) return std::nullopt;
  return ratio_over_rounds(cell.samples.round_medians_ns(), cell.compute_only->round_medians_ns(),
                           cell.seed);
}

std::optional<estimate> over_communication(const cell_inputs& cell) {
  if (!cell.communication_only) return std::nullopt;
  return ratio_over_rounds(cell.samples.round_medians_ns(),
                           cell.communication_only->round_medians_ns(), cell.seed);
}

// NVIDIA/nccl-tests, src/alltoall.cu, AlltoAllGetBw: algbw = the bytes of one rank's send buffer,
// own chunk included, over time; busbw = algbw (n - 1) / n.
std::optional<estimate> algbw_gbps(const cell_inputs& cell) {
  return rate(static_cast<double>(cell.source_bytes), cell);
}

std::optional<estimate> busbw_gbps(const cell_inputs& cell) {
  return rate(static_cast<double>(cell.source_bytes), cell, (cell.degree - 1.0) / cell.degree);
}

std::optional<estimate> submit_us(const cell_inputs& cell) {
  if (cell.submit_ns.empty()) return std::nullopt;
  return estimate{median({cell.submit_ns.begin(), cell.submit_ns.end()}) / ns_per_us};
}

std::optional<estimate> memory_mib(const cell_inputs& cell) {
  return estimate{static_cast<double>(cell.memory_bytes) / bytes_per_mib};
}

/// Only where there is any.
std::optional<estimate> padding_mib(const cell_inputs& cell) {
  if (cell.padding_bytes == 0) return std::nullopt;
  return estimate{static_cast<double>(cell.padding_bytes) / bytes_per_mib};
}

std::optional<estimate> checker_us(const cell_inputs& cell) {
  if (!cell.checker_ns) return std::nullopt;
  return estimate{static_cast<double>(*cell.checker_ns) / ns_per_us};
}

std::optional<estimate> prepare_ms(const cell_inputs& cell) {
  if (!cell.prepare_ns) return std::nullopt;
  return estimate{static_cast<double>(*cell.prepare_ns) / ns_per_ms};
}

std::optional<estimate> first_exchange_us(const cell_inputs& cell) {
  if (!cell.first_exchange_ns) return std::nullopt;
  return estimate{static_cast<double>(*cell.first_exchange_ns) / ns_per_us};
}

constexpr std::array table = {
    metric_row{"time_us", "us", better::lower, time_us},
    metric_row{"time_p5_us", "us", better::lower, time_percentile_us<5>},
    metric_row{"time_p95_us", "us", better::lower, time_percentile_us<95>},
    metric_row{"goodput_gbps", "GB/s", better::higher, goodput_gbps},
    metric_row{"ceiling_share", "ratio", better::higher, ceiling_share},
    metric_row{"speedup", "ratio", better::higher, speedup},
    metric_row{"over_compute", "ratio", better::lower, over_compute},
    metric_row{"over_communication", "ratio", better::lower, over_communication},
    metric_row{"detectable_slowdown", "ratio", better::lower, detectable_slowdown},
    metric_row{"algbw_gbps", "GB/s", better::higher, algbw_gbps},
    metric_row{"busbw_gbps", "GB/s", better::higher, busbw_gbps},
    metric_row{"submit_us", "us", better::lower, submit_us},
    metric_row{"prepare_ms", "ms", better::lower, prepare_ms},
    metric_row{"first_exchange_us", "us", better::lower, first_exchange_us},
    metric_row{"memory_mib", "MiB", better::lower, memory_mib},
    metric_row{"padding_mib", "MiB", better::lower, padding_mib},
    metric_row{"checker_us", "us", better::none, checker_us},
};

}  // namespace

std::span<const metric_row> metric_table() { return table; }

std::map<std::string, metric> compute_metrics(const cell_inputs& cell) {
  if (cell.samples.empty()) throw std::invalid_argument("metrics of a cell without samples");
  if (cell.degree < 2)
    throw std::invalid_argument("metrics of an exchange of fewer than two ranks");
  if (cell.exchanges_per_sample == 0) {
    throw std::invalid_argument("metrics of samples that span no exchange");
  }
  std::map<std::string, metric> metrics;
  for (const metric_row& row : metric_table()) {
    if (const std::optional<estimate> result = row.function(cell)) {
      metrics.emplace(row.name, metric{result->value, std::string(row.unit), result->ci95});
    }
  }
  return metrics;
}

}  // namespace ithaca::reports
