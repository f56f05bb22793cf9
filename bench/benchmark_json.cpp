#include "bench/benchmark_json.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <stdexcept>

#include "reports/whole_file.hpp"

namespace ithaca::bench {
namespace {

using run = benchmark::BenchmarkReporter::Run;

run run_of(const benchmark_cell& cell, std::size_t number) {
  run made;
  made.run_name.function_name = cell.name;
  made.family_index = static_cast<std::int64_t>(number);
  made.per_family_instance_index = 0;
  made.repetitions = static_cast<std::int64_t>(cell.rounds.size());
  made.time_unit = benchmark::kMicrosecond;
  return made;
}

struct figures {
  double mean = 0, median = 0, deviation = 0;
};

/// Of at least one value; the deviation is a sample's.
figures figures_of(std::vector<double> values) {
  figures made;
  const auto count = static_cast<double>(values.size());
  for (const double each : values) made.mean += each / count;
  std::ranges::sort(values);
  made.median = (values[values.size() / 2] + values[(values.size() - 1) / 2]) / 2;
  double squares = 0;
  for (const double each : values) squares += (each - made.mean) * (each - made.mean);
  if (values.size() > 1) made.deviation = std::sqrt(squares / (count - 1));
  return made;
}

std::vector<run> aggregates_of(const benchmark_cell& cell, std::size_t number) {
  std::vector<double> real, cpu;
  for (const benchmark_round& each : cell.rounds) {
    real.push_back(each.real_seconds / static_cast<double>(each.samples));
    cpu.push_back(each.cpu_seconds / static_cast<double>(each.samples));
  }
  const figures of_real = figures_of(real), of_cpu = figures_of(cpu);
  std::vector<run> made;
  const auto add = [&](const char* name, benchmark::StatisticUnit unit, double real_value,
                       double cpu_value) {
    run& to = made.emplace_back(run_of(cell, number));
    to.run_type = run::RT_Aggregate;
    to.aggregate_name = name;
    to.aggregate_unit = unit;
    to.repetition_index = run::no_repetition_index;
    // The reporter divides times by the iterations, and leaves ratios as they are.
    to.iterations = static_cast<benchmark::IterationCount>(cell.rounds.size());
    const double scale = unit == benchmark::kTime ? static_cast<double>(to.iterations) : 1;
    to.real_accumulated_time = real_value * scale;
    to.cpu_accumulated_time = cpu_value * scale;
  };
  const auto ratio = [](const figures& of) { return of.mean > 0 ? of.deviation / of.mean : 0; };
  add("mean", benchmark::kTime, of_real.mean, of_cpu.mean);
  add("median", benchmark::kTime, of_real.median, of_cpu.median);
  add("stddev", benchmark::kTime, of_real.deviation, of_cpu.deviation);
  add("cv", benchmark::kPercentage, ratio(of_real), ratio(of_cpu));
  return made;
}

std::vector<run> rounds_of(const benchmark_cell& cell, std::size_t number) {
  std::vector<run> made;
  for (const benchmark_round& each : cell.rounds) {
    run& to = made.emplace_back(run_of(cell, number));
    to.repetition_index = static_cast<std::int64_t>(made.size()) - 1;
    to.iterations = each.samples;
    to.real_accumulated_time = each.real_seconds;
    to.cpu_accumulated_time = each.cpu_seconds;
  }
  return made;
}

}  // namespace

void write_benchmark_json(const std::filesystem::path& file,
                          const std::vector<benchmark_cell>& cells) {
  // It would be replaced: a folder can't be, a device must not be.
  if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file)) {
    throw std::runtime_error(
        file.string() +
        " can't be written: it is no regular file; give --gbench-json a file's name");
  }
  std::ostringstream text;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&text);
  reporter.SetErrorStream(&text);
  reporter.ReportContext({});
  for (std::size_t number = 0; number < cells.size(); ++number) {
    if (cells[number].rounds.empty()) continue;
    reporter.ReportRuns(rounds_of(cells[number], number));
    reporter.ReportRuns(aggregates_of(cells[number], number));
  }
  reporter.Finalize();
  reports::write_whole_file(file, text.str());
}

}  // namespace ithaca::bench
