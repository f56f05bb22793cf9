#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ithaca::bench {

/// A round of a cell: the sums over its samples.
struct benchmark_round {
  std::int64_t samples = 0;
  double real_seconds = 0;
  double cpu_seconds = 0;  ///< of rank 0's host thread
};

/// A cell by its key, with the rounds that count.
struct benchmark_cell {
  std::string name;
  std::vector<benchmark_round> rounds;
};

/// Writes the cells as Google Benchmark's own JSON, by its own reporter: each is a benchmark, each
/// round a repetition of it whose iterations are the samples; then mean, median, standard deviation
/// and coefficient of variation over the rounds. The file appears whole or not at all. Throws
/// `std::runtime_error` with a sentence that names it if it can't be written.
void write_benchmark_json(const std::filesystem::path& file,
                          const std::vector<benchmark_cell>& cells);

}  // namespace ithaca::bench
