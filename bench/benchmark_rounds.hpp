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

/// Runs `entries` in their order on Google Benchmark: one registration each, `iterations` samples
/// by manual time. Every rank runs the same entries; none prints. `finished` hears how many are
/// done. After the first exception nothing more runs, and it comes out of here.
void run_benchmark_rounds(const std::vector<round_entry>& entries, int iterations,
                          const std::function<void(std::size_t)>& finished);

}  // namespace ithaca::bench
