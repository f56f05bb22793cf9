#pragma once

#include <cstddef>
#include <string>

namespace ithaca::traces {

/// The fields of one event of a Chrome trace that an importer looks at, numbers as they are
/// written: rules about decimals can't be checked on a double. A missing field is empty.
struct chrome_event {
  std::size_t index = 0;  ///< in `traceEvents`
  std::string phase;
  std::string name;
  std::string category;
  std::string ts;
  std::string dur;
  std::string pid;
  std::string tid;
  std::string id;
  std::string binding;        ///< "bp"
  std::string instant_scope;  ///< "s"
  std::string named;          ///< "args.name"
};

}  // namespace ithaca::traces
