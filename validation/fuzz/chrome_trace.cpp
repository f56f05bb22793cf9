// Any text is a trace without faults, or one whose faults are named; no exception is documented.

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "traces/chrome_event.hpp"
#include "traces/chrome_lint.hpp"
#include "traces/chrome_reader.hpp"
#include "validation/fuzz/demand.hpp"

using ithaca::validation::demand;
namespace traces = ithaca::traces;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  std::istringstream for_lint(text);
  const std::vector<std::string> messages = traces::lint(for_lint);
  demand(messages.size() <= 101, "messages are bounded");
  for (const std::string& each : messages) demand(!each.empty(), "a message says something");

  std::istringstream for_reader(text);
  std::size_t least = 0;
  const auto problems = traces::read_chrome_events(for_reader, [&](const traces::chrome_event& event) {
    demand(event.index >= least, "events come in their order");
    least = event.index + 1;
  });
  demand(problems.empty() || !messages.empty(), "what the reader finds, the lint reports");
  return 0;
}
