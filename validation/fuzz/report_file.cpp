// A report is read or refused in words; one that was read can be written, read again and printed.
// Any exception but the documented one ends the process: a finding.

#include "reports/report_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "reports/crossover_table.hpp"
#include "reports/stage_table.hpp"
#include "reports/summary_table.hpp"
#include "validation/fuzz/demand.hpp"
#include "validation/fuzz/input_file.hpp"

using ithaca::validation::demand;
namespace reports = ithaca::reports;

namespace {

std::optional<reports::report> read(const std::uint8_t* bytes, std::size_t size) {
  const ithaca::validation::input_file file(bytes, size);
  try {
    return reports::read_report(file.path());
  } catch (const std::invalid_argument& refused) {
    demand(*refused.what() != '\0', "a refusal says why");
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::optional<reports::report> found = read(bytes, size);
  if (!found) return 0;
  const reports::json written = to_json(*found);
  demand(to_json(reports::report_from_json(written)) == written, "writing and reading agree");
  summary_table(*found);
  crossover_table(*found);
  stage_table(*found);
  return 0;
}
