#include "traces/timeline_record.hpp"

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ithaca::traces {
namespace {

// By the value of the enumerator.
constexpr std::array<std::string_view, 8> kind_names = {"peer_copy", "local_copy",   "memset",
                                                        "kernel",    "signal_write", "signal_wait",
                                                        "submit",    "range"};
constexpr std::array<std::string_view, 4> engine_names = {"copy_engine", "sm", "host_thread",
                                                          "none"};

template <class Enumeration, std::size_t Count>
Enumeration from_name(const std::array<std::string_view, Count>& names, std::string_view name,
                      std::string_view what) {
  for (std::size_t i = 0; i < Count; ++i) {
    if (names[i] == name) return static_cast<Enumeration>(i);
  }
  throw std::invalid_argument(fmt::format("timeline record: unknown {} \"{}\"", what, name));
}

}  // namespace

std::string_view to_string(record_kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::string_view to_string(record_engine engine) {
  return engine_names[static_cast<std::size_t>(engine)];
}

void to_json(nlohmann::json& to, const timeline_record& record) {
  to = {{"rank", record.rank},
        {"row", record.row},
        {"kind", to_string(record.kind)},
        {"name", record.name},
        {"tag", record.tag},
        {"peer", record.peer},
        {"bytes", record.bytes},
        {"exchange", record.exchange},
        {"engine", to_string(record.engine)},
        {"sms", record.sms},
        {"start_ns", record.start_ns},
        {"end_ns", record.end_ns},
        {"operation", record.operation},
        {"enqueued_only", record.enqueued_only},
        {"scope", record.scope}};
}

void from_json(const nlohmann::json& from, timeline_record& record) {
  from.at("rank").get_to(record.rank);
  from.at("row").get_to(record.row);
  record.kind =
      from_name<record_kind>(kind_names, from.at("kind").get_ref<const std::string&>(), "kind");
  from.at("name").get_to(record.name);
  from.at("tag").get_to(record.tag);
  from.at("peer").get_to(record.peer);
  from.at("bytes").get_to(record.bytes);
  from.at("exchange").get_to(record.exchange);
  record.engine = from_name<record_engine>(
      engine_names, from.at("engine").get_ref<const std::string&>(), "engine");
  from.at("sms").get_to(record.sms);
  from.at("start_ns").get_to(record.start_ns);
  from.at("end_ns").get_to(record.end_ns);
  from.at("operation").get_to(record.operation);
  from.at("enqueued_only").get_to(record.enqueued_only);
  from.at("scope").get_to(record.scope);
}

}  // namespace ithaca::traces
