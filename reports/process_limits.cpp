#include "reports/process_limits.hpp"

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

template <class Number>
json number_or_null(const std::optional<Number>& number) {
  return number ? json(*number) : json(nullptr);
}

std::optional<std::uint64_t> count_or_null(object_reader& reader, const std::string& field) {
  if (reader.at(field).is_null()) return std::nullopt;
  return reader.count(field);
}

}  // namespace

json to_json(const process_limits& from) {
  return {{"memory_bytes", number_or_null(from.memory_bytes)},
          {"cpus", number_or_null(from.cpus)},
          {"shared_memory_bytes", number_or_null(from.shared_memory_bytes)},
          {"locked_memory_bytes", number_or_null(from.locked_memory_bytes)},
          {"open_files", number_or_null(from.open_files)}};
}

process_limits process_limits_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  process_limits to;
  to.memory_bytes = count_or_null(reader, "memory_bytes");
  if (!reader.at("cpus").is_null()) to.cpus = reader.number("cpus");
  to.shared_memory_bytes = count_or_null(reader, "shared_memory_bytes");
  to.locked_memory_bytes = count_or_null(reader, "locked_memory_bytes");
  to.open_files = count_or_null(reader, "open_files");
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
