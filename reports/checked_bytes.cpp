#include "reports/checked_bytes.hpp"

#include "reports/object_reader.hpp"

namespace ithaca::reports {

json to_json(const checked_bytes& from) {
  return {{"exchanges", from.exchanges},
          {"bytes", from.bytes},
          {"mismatched_bytes", from.mismatched_bytes}};
}

checked_bytes checked_bytes_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  checked_bytes to{reader.count("exchanges"), reader.count("bytes"),
                   reader.count("mismatched_bytes")};
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
