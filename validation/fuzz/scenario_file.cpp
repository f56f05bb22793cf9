// What a person writes as a file of shapes (`--scenarios`) is read or refused in words, and a
// shape that was read can be measured. Any other exception ends the process: a finding.

#include <cstddef>
#include <cstdint>

#include "backend/errors.hpp"
#include "bench/shape_catalog.hpp"
#include "validation/fuzz/demand.hpp"
#include "validation/fuzz/input_file.hpp"

using ithaca::validation::demand;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const ithaca::validation::input_file file(bytes, size);
  try {
    const auto catalog = ithaca::bench::shape_catalog::load(file.path());
    demand(!catalog.shapes().empty(), "a catalog has shapes");
    for (const ithaca::bench::shape& each : catalog.shapes()) {
      check(each);
      demand(catalog.find(each.name) == each, "a shape is found by its name");
    }
  } catch (const ithaca::invalid_use& refused) {
    demand(*refused.what() != '\0', "a refusal says why");
  }
  return 0;
}
