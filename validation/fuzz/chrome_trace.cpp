// Any text is a trace without faults, or one whose faults are named; what is opened, summed up,
// compared with itself and merged is a trace, or refused in the one documented way.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "traces/chrome_event.hpp"
#include "traces/chrome_lint.hpp"
#include "traces/chrome_reader.hpp"
#include "traces/opened_trace.hpp"
#include "traces/trace_diff.hpp"
#include "traces/trace_merge.hpp"
#include "traces/trace_summary.hpp"
#include "validation/fuzz/demand.hpp"

using ithaca::validation::demand;
namespace traces = ithaca::traces;

namespace {

void use(std::string_view text) {
  const traces::opened_trace trace = traces::open_trace(text);
  const nlohmann::json summary = traces::summarize(trace);
  demand(summary.at("slices").get<std::size_t>() <= trace.slices.size(), "slices are counted");
  for (const traces::operation_pair& each : traces::diff_traces(trace, trace)) {
    demand(each.same_work(), "a trace does what it does");
  }
}

void merge(std::string_view text) {
  const std::vector<traces::named_trace> twice = {{"a", text}, {"b", text}};
  std::ostringstream out;
  traces::merge_traces(out, twice, traces::merge_clock::starts);
  demand(!traces::lint(out.str()).broken, "what is merged is a trace");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::vector<std::string> messages = traces::lint(text).messages;
  demand(messages.size() <= 101, "messages are bounded");
  for (const std::string& each : messages) demand(!each.empty(), "a message says something");

  std::size_t least = 0;
  const auto [problems, other_data] = traces::read_chrome_events(
      text, traces::chrome_details::kept, [&](const traces::chrome_event& event) {
        demand(event.index >= least, "events come in their order");
        least = event.index + 1;
      });
  demand(problems.empty() || !messages.empty(), "what the reader finds, the lint reports");
  for (void (*const each)(std::string_view) : {&use, &merge}) {
    try {
      each(text);
    } catch (const std::invalid_argument&) {  // a sentence about the trace
    }
  }
  return 0;
}
