#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ithaca::bench {

/// One cell in one round.
struct round_entry {
  std::string name;
  std::function<std::int64_t()> sample_ns;  ///< takes one sample; may throw
  std::function<void()> after;              ///< runs once after the round's samples; may throw
};

/// Who counts the samples. Google Benchmark's registry belongs to a process: where ranks share one,
/// rank 0 alone has it, and the others take as many samples in a plain loop.
enum class sample_loop { google_benchmark, plain };

/// Runs `entries` in their order: `iterations` samples of each, on Google Benchmark one
/// registration each, by manual time. Every rank runs the same entries; none prints. `finished`
/// hears how many are done, and the CPU time of this thread in the last one, as Google Benchmark
/// measured it (0 in a plain loop). After the first exception nothing more runs, and it comes out
/// of here.
void run_benchmark_rounds(
    const std::vector<round_entry>& entries, int iterations, sample_loop by,
    const std::function<void(std::size_t done, double cpu_seconds)>& finished);

}  // namespace ithaca::bench
