#include "traces/trace_merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traces/chrome_reader.hpp"
#include "traces/chrome_text.hpp"
#include "traces/chrome_time.hpp"

namespace ithaca::traces {
namespace {

using track = std::pair<std::uint32_t, std::uint32_t>;  ///< pid, tid

/// What has to be known of a trace before the first event is written.
struct outline {
  std::set<std::uint32_t> pids;
  std::set<track> tracks;
  std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
  nlohmann::json other_data;
};

/// Where a trace's numbers go.
struct renumbering {
  std::map<std::uint32_t, std::uint32_t> pids;
  std::map<track, std::uint32_t> tids;
  std::int64_t shift_ns = 0;
};

[[noreturn]] void refuse(const named_trace& trace, std::string_view why) {
  throw std::invalid_argument(fmt::format("{}: {}", trace.name, why));
}

[[noreturn]] void refuse(const named_trace& trace, const chrome_event& event,
                         std::string_view why) {
  refuse(trace, fmt::format("event {} (\"{}\") {}", event.index, event.name, why));
}

std::uint32_t id_of(const named_trace& trace, const chrome_event& event, const std::string& text) {
  const std::optional<std::uint32_t> id = chrome_id(text);
  if (!id) refuse(trace, event, fmt::format("has the pid or tid {}, no small integer", text));
  return *id;
}

std::int64_t ns_of(const named_trace& trace, const chrome_event& event, const std::string& text) {
  std::string wrong;
  const std::optional<std::int64_t> ns = chrome_time_ns(text, wrong);
  if (!ns) refuse(trace, event, fmt::format("has a ts or dur that {}: {}", wrong, text));
  return *ns;
}

bool names_thread(const chrome_event& event) {
  return event.name == "thread_name" || event.name == "thread_sort_index";
}

outline outline_of(const named_trace& trace) {
  outline made;
  chrome_frame frame =
      read_chrome_events(trace.text, chrome_details::kept, [&](const chrome_event& event) {
        constexpr std::string_view known = "XiCsfM";
        if (event.phase.size() != 1 || known.find(event.phase) == std::string_view::npos) {
          refuse(trace, event,
                 fmt::format("has the phase \"{}\", which is not understood", event.phase));
        }
        const std::uint32_t pid = id_of(trace, event, event.pid);
        made.pids.insert(pid);
        if (event.phase == "M" && !names_thread(event)) return;
        made.tracks.insert({pid, id_of(trace, event, event.tid)});
        if (event.phase == "X") ns_of(trace, event, event.dur);
        if (event.phase != "M") {
          made.first_ns = std::min(made.first_ns, ns_of(trace, event, event.ts));
        }
      });
  if (!frame.problems.empty()) refuse(trace, frame.problems.front());
  made.other_data = std::move(frame.other_data);
  return made;
}

std::int64_t base_of(const named_trace& trace, const outline& of) {
  const nlohmann::json& other = of.other_data;
  if (!other.is_object() || !other.contains("base_ns") || !other["base_ns"].is_number_integer()) {
    refuse(trace,
           "has no otherData.base_ns, by which it could be placed: let all begin together instead "
           "(--clock starts)");
  }
  const auto base_ns = other["base_ns"].get<std::int64_t>();
  // What a clock since boot can show; differences of such numbers fit.
  constexpr std::int64_t most_ns = std::numeric_limits<std::int64_t>::max() / 4;
  if (base_ns < 0 || base_ns > most_ns) refuse(trace, "has a base_ns that is no time since boot");
  return base_ns;
}

void number_tracks(std::span<const outline> outlines, std::vector<renumbering>& to) {
  std::size_t most = 0;
  for (const outline& each : outlines) most = std::max(most, each.pids.size());
  std::uint32_t next_pid = 0, next_tid = 1;
  for (std::size_t process = 0; process < most; ++process) {
    for (std::size_t i = 0; i < outlines.size(); ++i) {
      if (process >= outlines[i].pids.size()) continue;
      const std::uint32_t pid =
          *std::next(outlines[i].pids.begin(), static_cast<std::ptrdiff_t>(process));
      to[i].pids.emplace(pid, next_pid++);
      for (auto at = outlines[i].tracks.lower_bound({pid, 0});
           at != outlines[i].tracks.end() && at->first == pid; ++at) {
        to[i].tids.emplace(*at, next_tid++);
      }
    }
  }
}

/// Writes the events of one trace after the other.
class merging {
 public:
  explicit merging(chrome_text& text) : text_(text) {}

  void write(const named_trace& trace, const renumbering& by) {
    arrows_.clear();
    read_chrome_events(trace.text, chrome_details::kept,
                       [&](chrome_event& event) { write_event(trace, by, event); });
  }

 private:
  void write_event(const named_trace& trace, const renumbering& by, chrome_event& event) {
    const std::uint32_t pid = id_of(trace, event, event.pid);
    const std::uint32_t new_pid = by.pids.at(pid);
    const bool of_process = event.phase == "M" && !names_thread(event);
    const std::uint32_t new_tid =
        of_process ? 0 : by.tids.at({pid, id_of(trace, event, event.tid)});
    text_.begin_event();
    text_.put(FMT_COMPILE(R"({{"ph":"{}","name":)"), event.phase);
    text_.put_string(event.name);
    if (!event.category.empty()) {
      text_.put(FMT_COMPILE(R"(,"cat":)"));
      text_.put_string(event.category);
    }
    text_.put(FMT_COMPILE(R"(,"pid":{},"tid":{})"), new_pid, new_tid);
    if (event.phase == "M") {
      rename(trace, event, new_pid, new_tid);
    } else {
      write_times(trace, by, event);
    }
    if (event.phase == "s" || event.phase == "f") {
      text_.put(FMT_COMPILE(R"(,"id":{})"), arrow_number(event.id));
      if (!event.binding.empty()) put_field("bp", event.binding);
    } else if (!event.id.empty()) {
      put_field("id", event.id);
    }
    if (!event.instant_scope.empty()) put_field("s", event.instant_scope);
    write_arguments(trace, event);
    text_.put(FMT_COMPILE("}}"));
  }

  void put_field(std::string_view name, std::string_view value) {
    text_.put(FMT_COMPILE(R"(,"{}":)"), name);
    text_.put_string(value);
  }

  static void rename(const named_trace& trace, chrome_event& event, std::uint32_t pid,
                     std::uint32_t tid) {
    if (event.name == "process_name") {
      event.arguments = {{"name", trace.name + ": " + event.named}};
    } else if (event.name == "process_sort_index") {
      event.arguments = {{"sort_index", pid}};
    } else if (event.name == "thread_sort_index") {
      event.arguments = {{"sort_index", tid}};
    }
  }

  void write_times(const named_trace& trace, const renumbering& by, const chrome_event& event) {
    text_.put(FMT_COMPILE(R"(,"ts":)"));
    text_.put_us(ns_of(trace, event, event.ts) + by.shift_ns);
    if (event.phase != "X") return;
    text_.put(FMT_COMPILE(R"(,"dur":)"));
    text_.put_us(ns_of(trace, event, event.dur));
  }

  void write_arguments(const named_trace& trace, chrome_event& event) {
    if (event.arguments.is_null()) return;
    if (event.arguments.is_object()) {
      const auto scope = event.arguments.find("scope");
      if (scope != event.arguments.end() && scope->is_string()) {
        *scope = trace.name + ": " + scope->get<std::string>();
      }
    }
    text_.put(FMT_COMPILE(R"(,"args":)"));
    text_.put_json(event.arguments);
  }

  std::uint64_t arrow_number(const std::string& id) {
    const auto [found, is_new] = arrows_.try_emplace(id, next_arrow_);
    if (is_new) ++next_arrow_;
    return found->second;
  }

  chrome_text& text_;
  std::unordered_map<std::string, std::uint64_t> arrows_;  ///< by the trace's own id
  std::uint64_t next_arrow_ = 1;
};

}  // namespace

void merge_traces(std::ostream& out, std::span<const named_trace> traces, merge_clock clock) {
  std::vector<outline> outlines;
  for (const named_trace& each : traces) outlines.push_back(outline_of(each));
  std::vector<renumbering> numbers(traces.size());
  number_tracks(outlines, numbers);
  std::int64_t base_ns = std::numeric_limits<std::int64_t>::max();
  nlohmann::json parts = nlohmann::json::array();
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (clock == merge_clock::base) {
      numbers[i].shift_ns = base_of(traces[i], outlines[i]);
      base_ns = std::min(base_ns, numbers[i].shift_ns);
    } else if (outlines[i].first_ns != std::numeric_limits<std::int64_t>::max()) {
      numbers[i].shift_ns = -outlines[i].first_ns;
    }
    parts.push_back({{"name", traces[i].name}, {"otherData", outlines[i].other_data}});
  }
  nlohmann::json other_data = {{"merged", std::move(parts)}};
  if (clock == merge_clock::base && !traces.empty()) {
    for (renumbering& each : numbers) each.shift_ns -= base_ns;
    other_data["base_ns"] = base_ns;
  }
  chrome_text text(out);
  text.begin(other_data);
  merging events(text);
  for (std::size_t i = 0; i < traces.size(); ++i) events.write(traces[i], numbers[i]);
  text.end();
}

}  // namespace ithaca::traces
