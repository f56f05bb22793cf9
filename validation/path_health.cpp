#include "validation/path_health.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/text_table.hpp"

namespace ithaca::validation {
namespace {

using nlohmann::json;

constexpr std::size_t width = 120;
constexpr std::size_t indent = 2;

struct step {
  const char* name;  ///< of its column and field
  const char* words;
  std::string probed_pair::*reason;
};

constexpr step steps[] = {{"mapping", "mapping", &probed_pair::mapping},
                          {"copy", "copied bytes", &probed_pair::copy},
                          {"stream_write", "stream write", &probed_pair::stream_write},
                          {"staged_copy", "staged signal", &probed_pair::staged_copy}};

/// What fails by one way of sharing. Memory that is not mapped makes all else fail: said once.
void add_failures(std::vector<std::string>& to, const char* how,
                  const std::optional<probed_pair>& of) {
  if (!of) return;
  for (const step& each : steps) {
    const std::string& reason = (*of).*each.reason;
    if (reason.empty()) continue;
    to.push_back(fmt::format("{}, by {}: {}", each.words, how, reason));
    if (each.reason == &probed_pair::mapping) return;
  }
}

std::string mark(const std::optional<probed_pair>& of, const step& what) {
  if (!of) return "-";
  return ((*of).*what.reason).empty() ? "ok" : "FAIL";
}

/// Of both ways of sharing: "ok/ok".
std::string marks(const path_health& of, const step& what) {
  return mark(of.by_descriptor, what) + "/" + mark(of.by_handle, what);
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : "-";
}

json or_null(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

/// Null for what works, else why not.
json to_json(const std::optional<probed_pair>& from) {
  if (!from) return nullptr;
  json to;
  for (const step& each : steps) {
    const std::string& reason = (*from).*each.reason;
    to[each.name] = reason.empty() ? json(nullptr) : json(reason);
  }
  return to;
}

std::optional<probed_pair> pair_from_json(const json& from) {
  if (from.is_null()) return std::nullopt;
  probed_pair to;
  for (const step& each : steps) {
    if (!from[each.name].is_null()) to.*each.reason = from[each.name].get<std::string>();
  }
  return to;
}

}  // namespace

std::vector<std::string> path_health::failures() const {
  std::vector<std::string> all;
  add_failures(all, "descriptor", by_descriptor);
  add_failures(all, "handle", by_handle);
  if (!by_descriptor && !by_handle) all.emplace_back("memory can't be shared in any way");
  return all;
}

bool healthy(const std::vector<path_health>& paths) {
  return !paths.empty() && std::ranges::all_of(paths, [](const path_health& each) {
    return each.failures().empty();
  });
}

std::string to_table(const std::vector<path_health>& paths) {
  std::vector<std::string> header = {"rank", "path"};
  for (const step& each : steps) header.emplace_back(each.words);
  header.insert(header.end(), {"GB/s", "handshake us"});
  reports::text_table table(std::move(header));
  std::string failures;
  std::size_t failed = 0;
  for (const path_health& each : paths) {
    const std::string pair = fmt::format("{} -> {}", each.source, each.target);
    std::vector<std::string> row = {pair, each.link};
    for (const step& what : steps) row.push_back(marks(each, what));
    row.insert(row.end(), {number(each.ceiling_gbps), number(each.handshake_us)});
    table.add_row(std::move(row));
    const std::vector<std::string> reasons = each.failures();
    failed += reasons.empty() ? 0 : 1;
    for (const std::string& reason : reasons) {
      failures += reports::wrap(fmt::format("FAIL {}: {}", pair, reason), indent, width);
    }
  }
  const std::string verdict =
      failed > 0 ? fmt::format("not healthy: {} of {} paths fail", failed, paths.size())
                 : fmt::format("healthy: all {} paths work", paths.size());
  return "Each of what was tried by descriptor/by handle.\n\n" + table.to_string(indent, width) +
         failures + verdict + "\n";
}

json to_json(const path_health& from) {
  return {{"source", from.source},
          {"target", from.target},
          {"link", from.link},
          {"by_descriptor", to_json(from.by_descriptor)},
          {"by_handle", to_json(from.by_handle)},
          {"ceiling_gbps", or_null(from.ceiling_gbps)},
          {"handshake_us", or_null(from.handshake_us)}};
}

std::string findings_to_text(const std::vector<path_health>& paths) {
  json all = json::array();
  for (const path_health& each : paths) all.push_back(to_json(each));
  return all.dump();
}

std::vector<path_health> findings_from_text(const std::string& text) {
  std::vector<path_health> all;
  for (const json& each : json::parse(text)) {
    all.push_back({each["source"], each["target"], each["link"].get<std::string>(),
                   pair_from_json(each["by_descriptor"]), pair_from_json(each["by_handle"])});
  }
  return all;
}

}  // namespace ithaca::validation
