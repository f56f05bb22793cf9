#include "bench/benchmark_rounds.hpp"

#include <benchmark/benchmark.h>

#include <exception>

namespace ithaca::bench {
namespace {

/// Prints nothing: the report and its table are made from the samples themselves.
class silent_reporter final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

constexpr double ns_per_second = 1e9;

}  // namespace

void run_benchmark_rounds(const std::vector<round_entry>& entries, int iterations,
                          const std::function<void(std::size_t)>& finished) {
  std::exception_ptr failure;
  std::size_t done = 0;
  benchmark::ClearRegisteredBenchmarks();
  for (const round_entry& entry : entries) {
    benchmark::RegisterBenchmark(
        entry.name.c_str(),
        [&](benchmark::State& state) {
          if (failure) {
            state.SkipWithError("the run broke off");
            return;
          }
          try {
            for (auto _ : state) {
              state.SetIterationTime(static_cast<double>(entry.sample_ns()) / ns_per_second);
            }
            entry.after();
            finished(++done);
          } catch (...) {
            failure = std::current_exception();
            state.SkipWithError("the run broke off");
          }
        })
        ->Iterations(iterations)
        ->UseManualTime();
  }
  silent_reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::ClearRegisteredBenchmarks();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ithaca::bench
