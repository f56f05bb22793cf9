#include "reports/cell_status.hpp"

#include <string>

namespace ithaca::reports {

std::string_view to_string(cell_status status) {
  switch (status) {
    case cell_status::measured:
      return "measured";
    case cell_status::skipped:
      return "skipped";
    case cell_status::refuted:
      return "refuted";
    case cell_status::incomplete:
      break;
  }
  return "incomplete";
}

cell_status read_cell_status(object_reader& reader) {
  const std::string name =
      reader.one_of("status", {"measured", "skipped", "refuted", "incomplete"});
  if (name == "measured") return cell_status::measured;
  if (name == "skipped") return cell_status::skipped;
  return name == "refuted" ? cell_status::refuted : cell_status::incomplete;
}

}  // namespace ithaca::reports
