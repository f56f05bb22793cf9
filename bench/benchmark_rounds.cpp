#include "bench/benchmark_rounds.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <exception>

namespace ithaca::bench {
namespace {

using finished_function = std::function<void(std::size_t done, double cpu_seconds)>;

/// Prints nothing: the report and its table are made from the samples themselves. It hears of every
/// entry when it is done, in their order.
class counting_reporter final : public benchmark::BenchmarkReporter {
 public:
  explicit counting_reporter(const std::function<void(double cpu_seconds)>& finished)
      : finished_(finished) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& each : runs) finished_(each.cpu_accumulated_time);
  }

 private:
  const std::function<void(double)>& finished_;
};

constexpr double ns_per_second = 1e9;

/// Google Benchmark's time to start grows with the square of what is registered.
constexpr std::size_t at_a_time = 256;

void run_plain(const std::vector<round_entry>& entries, int iterations,
               const finished_function& finished) {
  for (std::size_t at = 0; at < entries.size(); ++at) {
    for (int iteration = 0; iteration < iterations; ++iteration) entries[at].sample_ns();
    entries[at].after();
    finished(at + 1, 0);
  }
}

}  // namespace

void run_benchmark_rounds(const std::vector<round_entry>& entries, int iterations, sample_loop by,
                          const finished_function& finished) {
  if (by == sample_loop::plain) return run_plain(entries, iterations, finished);
  std::exception_ptr failure;
  std::size_t done = 0;
  const std::function<void(double)> report = [&](double cpu_seconds) {
    if (!failure) finished(++done, cpu_seconds);
  };
  counting_reporter reporter(report);
  const auto sample = [&](const round_entry& entry, benchmark::State& state) {
    try {
      if (!failure) {
        for (auto _ : state) {
          state.SetIterationTime(static_cast<double>(entry.sample_ns()) / ns_per_second);
        }
        entry.after();
        return;
      }
    } catch (...) {
      failure = std::current_exception();
    }
    state.SkipWithError("the run broke off");
  };
  for (std::size_t begin = 0; begin < entries.size() && !failure; begin += at_a_time) {
    benchmark::ClearRegisteredBenchmarks();
    for (std::size_t at = begin; at < std::min(begin + at_a_time, entries.size()); ++at) {
      const round_entry& entry = entries[at];
      benchmark::RegisterBenchmark(entry.name.c_str(),
                                   [&](benchmark::State& state) { sample(entry, state); })
          ->Iterations(iterations)
          ->UseManualTime();
    }
    benchmark::RunSpecifiedBenchmarks(&reporter);
  }
  benchmark::ClearRegisteredBenchmarks();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ithaca::bench
