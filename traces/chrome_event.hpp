#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace ithaca::traces {

/// One event of a Chrome trace, numbers as they are written: rules about decimals can't be checked
/// on a double. A missing field is empty.
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
  bool id_is_text = false;    ///< which an importer takes for hexadecimal digits
  std::string binding;        ///< "bp"
  std::string instant_scope;  ///< "s"
  std::string named;          ///< "args.name"
  std::size_t numbers = 0;    ///< in "args", itself
  std::size_t others = 0;     ///< texts, truth values and nulls there
  nlohmann::json arguments;   ///< "args"; null unless the reader was asked for them
};

}  // namespace ithaca::traces
