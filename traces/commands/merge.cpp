#include "traces/commands/merge.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <set>
#include <stdexcept>

#include "reports/console/exit_codes.hpp"
#include "reports/console/input_file.hpp"
#include "reports/console/nearest_name.hpp"
#include "traces/chrome_file.hpp"
#include "traces/trace_merge.hpp"

namespace ithaca::traces {
namespace {

merge_clock clock_named(const std::string& name) {
  if (name == "starts") return merge_clock::starts;
  if (name == "base") return merge_clock::base;
  throw std::invalid_argument(
      fmt::format("--clock '{}' is none{}", name,
                  console::did_you_mean(name, std::vector<std::string>{"starts", "base"})));
}

}  // namespace

void merge_command::declare(CLI::App& app) {
  app.add_option("OUT", out_, "File to write")->required();
  app.add_option("TRACE", files_, "Traces to merge (.json, or packed as .json.gz)")->required();
  app.add_option("--clock", clock_,
                 "What places them: 'starts', every trace begins at 0 (for runs to compare), or "
                 "'base', by otherData.base_ns (for traces of one host since it booted, whose "
                 "clock they share) (default: starts)")
      ->type_name("NAME")
      ->take_last();
  app.footer(
      "Examples:\n"
      "  ithaca-trace merge both.json out/1/trace.json out/2/trace.json\n"
      "  ithaca-trace merge both.json --clock base beside-1.json beside-2.json");
}

int merge_command::run() {
  const merge_clock clock = clock_named(clock_);
  console::refuse_overwriting(out_, files_);
  std::vector<std::string> texts;
  std::set<std::string> names;
  for (const std::string& file : files_) {
    if (!names.insert(file).second) {
      throw std::invalid_argument(
          fmt::format("{} is named twice: no one could tell its processes apart", file));
    }
    texts.push_back(console::read_input(file));
  }
  std::vector<named_trace> traces;
  for (std::size_t i = 0; i < files_.size(); ++i) traces.push_back({files_[i], texts[i]});
  write_chrome_file(out_, [&](std::ostream& out) { merge_traces(out, traces, clock); });
  fmt::print("{}: {} traces, {}\n", out_, traces.size(),
             clock == merge_clock::starts
                 ? "each from its own start: times of one say nothing of another's"
                 : "by base_ns, taken as times of one clock");
  return console::good;
}

}  // namespace ithaca::traces
