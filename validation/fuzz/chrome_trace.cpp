// Any text is a trace without faults, or one whose faults are named; no exception is documented.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "traces/chrome_event.hpp"
#include "traces/chrome_lint.hpp"
#include "traces/chrome_reader.hpp"
#include "validation/fuzz/demand.hpp"

using ithaca::validation::demand;
namespace traces = ithaca::traces;

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
  return 0;
}
