#include "bench/run_output.hpp"

#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "bench/benchmark_json.hpp"
#include "reports/page/html_page.hpp"
#include "reports/report_file.hpp"
#include "reports/throttling.hpp"
#include "traces/chrome_trace.hpp"

namespace ithaca::bench {
namespace {

/// What `write` says that it could not; empty if it could.
template <class Write>
std::string failure_to(Write write) {
  try {
    write();
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
  return "";
}

benchmark_cell benchmark_of(const measurement& of, const reports::telemetry& seen) {
  benchmark_cell cell{reports::to_string(of.cell.key), {}};
  const std::set<int> discarded = reports::discarded(seen, of.cell.key);
  const auto& rounds = of.inputs.samples.launches().back();
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    if (discarded.contains(static_cast<int>(round))) continue;
    const auto ns = std::accumulate(rounds[round].begin(), rounds[round].end(), std::int64_t{0});
    cell.rounds.push_back({static_cast<std::int64_t>(rounds[round].size()),
                           static_cast<double>(ns) / 1e9, of.cpu_seconds[round]});
  }
  return cell;
}

}  // namespace

void run_output::write_report(const reports::report& of) {
  if (!folder_) return;
  // The page first, so that whoever sees the report finds the page of it; and the report even where
  // there is no room for the page.
  std::string no_page = failure_to([&] { reports::write_html_page({&of, 1}, folder_->page()); });
  keep(failure_to([&] { reports::write_report(of, folder_->report()); }));
  keep(std::move(no_page));
}

void run_output::write_trace(const std::vector<traces::timeline_record>& timeline,
                             const reports::report& of) {
  if (!folder_) return;
  keep(failure_to([&] {
    traces::write_chrome_trace(folder_->trace(), timeline,
                               {{"command", of.run.command},
                                {"device", of.machine.device},
                                {"simulated", of.machine.device == reports::simulated_device},
                                {"note", of.run.note.value_or("")}});
  }));
}

void run_output::write_benchmarks(const std::vector<measurement>& measurements,
                                  const reports::telemetry& seen) {
  if (!folder_ || !benchmark_json_) return;
  std::vector<benchmark_cell> cells;
  for (const measurement& of : measurements) {
    if (of.cell.status == reports::cell_status::measured) cells.push_back(benchmark_of(of, seen));
  }
  keep(failure_to([&] { write_benchmark_json(*benchmark_json_, cells); }));
}

void run_output::keep(std::string failure) {
  if (failure_.empty()) failure_ = std::move(failure);
}

}  // namespace ithaca::bench
