#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "backend/sim/fabric_figures.hpp"

namespace ithaca::bench {

/// The fabric that is simulated where none is named.
inline constexpr const char* default_fabric = "h200-nv18";

/// Names of the fabrics that are shipped.
std::vector<std::string> fabric_names();

/// Reads a fabric: the name of one that is shipped, or a file of one's own (whatever holds a '/'
/// or ends in ".json"), `{"note": text, "figures": {name: {"value", "unit", "source"}, ...}}`.
///
/// Every figure must be there, in its unit, above 0 (times: at least 0), with a source; nothing
/// else may. Throws `invalid_use`, naming the file and the figure, for one that is not so, and with
/// a suggestion for a name that is not known.
sim::fabric_figures read_fabric(const std::string& name_or_file);

}  // namespace ithaca::bench
