#include "traces/opened_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "traces/chrome_reader.hpp"
#include "traces/chrome_time.hpp"

namespace ithaca::traces {
namespace {

[[noreturn]] void refuse(const chrome_event& event, std::string_view why) {
  throw std::invalid_argument(fmt::format("event {} (\"{}\") {}", event.index, event.name, why));
}

std::uint32_t id_of(const chrome_event& event, std::string_view field, const std::string& text) {
  const std::optional<std::uint32_t> id = chrome_id(text);
  if (!id) refuse(event, fmt::format("has the {} {}, no small unsigned integer", field, text));
  return *id;
}

std::int64_t time_of(const chrome_event& event, std::string_view field, const std::string& text) {
  std::string wrong;
  const std::optional<std::int64_t> ns = chrome_time_ns(text, wrong);
  if (!ns) refuse(event, fmt::format("has a {} that {}: {}", field, wrong, text));
  return *ns;
}

std::uint64_t count_in(const chrome_event& event, const char* name) {
  if (!event.arguments.is_object()) return 0;
  const auto found = event.arguments.find(name);
  if (found == event.arguments.end()) return 0;
  if (!found->is_number_unsigned()) refuse(event, fmt::format("has {} that are no count", name));
  return found->get<std::uint64_t>();
}

std::string_view text_in(const chrome_event& event, const char* name) {
  if (!event.arguments.is_object()) return {};
  const auto found = event.arguments.find(name);
  if (found == event.arguments.end() || !found->is_string()) return {};
  return found->get_ref<const std::string&>();
}

int peer_in(const chrome_event& event) {
  if (!event.arguments.is_object() || !event.arguments.contains("peer")) return -1;
  const std::uint64_t peer = count_in(event, "peer");
  if (peer > std::uint64_t{std::numeric_limits<int>::max()}) {
    refuse(event, "has a peer that is no rank");
  }
  return static_cast<int>(peer);
}

/// "copy" of "copy (2)", the second lane of that row.
std::string_view without_lane(std::string_view name) {
  const std::size_t open = name.rfind(" (");
  if (open == std::string_view::npos || open == 0 || !name.ends_with(')')) return name;
  const std::string_view number = name.substr(open + 2, name.size() - open - 3);
  const bool digits =
      !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  return digits ? name.substr(0, open) : name;
}

class opening {
 public:
  void add(const chrome_event& event) {
    if (event.phase == "M") return add_name(event);
    if (event.phase == "X" || event.phase == "i") return add_slice(event);
    if (event.phase == "s" || event.phase == "f") return add_arrow_end(event);
    // Counters have no place in what is told of a trace.
    if (event.phase != "C") {
      refuse(event, fmt::format("has the phase \"{}\", which is not understood", event.phase));
    }
  }

  opened_trace finish(nlohmann::json other_data) && {
    std::vector<std::uint32_t> index_of(trace_.processes.size());
    std::set<std::string> names;
    for (auto& [pid, at] : process_at_) {
      index_of[at] = static_cast<std::uint32_t>(sorted_.size());
      sorted_.push_back(std::move(trace_.processes[at]));
      std::string& name = sorted_.back().name;
      if (name.empty()) name = fmt::format("pid {}", pid);
      if (!names.insert(name).second) name += fmt::format(" (pid {})", pid);
    }
    trace_.processes = std::move(sorted_);
    for (trace_slice& each : trace_.slices) {
      each.process = index_of[each.process];
      each.row = row_names_[each.row];
    }
    for (const auto& [id, ends] : arrows_) {
      if (ends.first && ends.second) ++trace_.arrows;
    }
    trace_.other_data = std::move(other_data);
    return std::move(trace_);
  }

 private:
  std::uint32_t process(std::uint32_t pid) {
    const auto [found, is_new] =
        process_at_.try_emplace(pid, static_cast<std::uint32_t>(trace_.processes.size()));
    if (is_new) trace_.processes.push_back({pid, {}});
    return found->second;
  }

  /// Rows are named once all is read: a name may come behind its slices.
  std::uint32_t row(std::uint32_t pid, std::uint32_t tid) {
    const auto [found, is_new] =
        row_at_.try_emplace({pid, tid}, static_cast<std::uint32_t>(row_names_.size()));
    if (is_new) row_names_.push_back(trace_.names.number_of(fmt::format("tid {}", tid)));
    return found->second;
  }

  void add_name(const chrome_event& event) {
    if (event.name != "process_name" && event.name != "thread_name") return;
    const std::uint32_t pid = id_of(event, "pid", event.pid);
    if (event.name == "process_name") {
      trace_.processes[process(pid)].name = event.named;
    } else {
      row_names_[row(pid, id_of(event, "tid", event.tid))] =
          trace_.names.number_of(without_lane(event.named));
    }
  }

  void add_slice(const chrome_event& event) {
    const std::uint32_t pid = id_of(event, "pid", event.pid);
    trace_slice& made = trace_.slices.emplace_back();
    made.process = process(pid);
    made.row = row(pid, id_of(event, "tid", event.tid));
    made.name = trace_.names.number_of(event.name);
    made.kind = trace_.names.number_of(event.category);
    made.start_ns = time_of(event, "ts", event.ts);
    made.instant = event.phase == "i";
    made.end_ns = made.start_ns + (made.instant ? 0 : time_of(event, "dur", event.dur));
    made.scope = trace_.names.number_of(text_in(event, "scope"));
    made.tag = trace_.names.number_of(text_in(event, "tag"));
    made.engine = trace_.names.number_of(text_in(event, "engine"));
    made.peer = peer_in(event);
    made.bytes = count_in(event, "bytes");
    made.exchange = count_in(event, "exchange");
  }

  void add_arrow_end(const chrome_event& event) {
    auto& [starts, ends] = arrows_[event.category + '\n' + event.name + '\n' + event.id];
    (event.phase == "s" ? starts : ends) = true;
  }

  opened_trace trace_;
  std::vector<trace_process> sorted_;
  std::map<std::uint32_t, std::uint32_t> process_at_;  ///< by pid
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> row_at_;
  std::vector<std::uint32_t> row_names_;
  std::unordered_map<std::string, std::pair<bool, bool>> arrows_;
};

}  // namespace

opened_trace open_trace(std::string_view text) {
  opening made;
  chrome_frame frame = read_chrome_events(text, chrome_details::kept,
                                          [&](const chrome_event& event) { made.add(event); });
  if (!frame.problems.empty()) throw std::invalid_argument(frame.problems.front());
  return std::move(made).finish(std::move(frame.other_data));
}

}  // namespace ithaca::traces
