#include "traces/chrome_lint.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traces/chrome_reader.hpp"
#include "traces/chrome_time.hpp"
#include "traces/name_table.hpp"

namespace ithaca::traces {
namespace {

constexpr std::size_t most_messages = 100;

struct track_id {
  std::uint32_t pid = 0;
  std::uint32_t tid = 0;
  auto operator<=>(const track_id&) const = default;
};

struct place {
  std::size_t index = 0;
  std::uint32_t name = 0;  ///< its number in the table of names
};

struct slice {
  track_id track;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::size_t at = 0;  ///< index in the places
};

struct arrow_end {
  track_id track;
  std::int64_t ts_ns = 0;
  std::size_t at = 0;  ///< index in the places
};

struct arrow {
  std::optional<arrow_end> start;
  std::optional<arrow_end> end;
};

/// What an importer tells arrows apart by: numbers in the table of names.
struct arrow_key {
  std::uint32_t category = 0;
  std::uint32_t name = 0;
  std::uint64_t id = 0;
  bool operator==(const arrow_key&) const = default;
};

struct arrow_hash {
  std::size_t operator()(const arrow_key& key) const {
    const std::uint64_t names = (std::uint64_t{key.category} << 32) | key.name;
    return std::hash<std::uint64_t>()(key.id * 0x9e3779b97f4a7c15 ^ names);
  }
};

/// An importer takes numbers that fit its 64 bits with a sign, and texts of hexadecimal digits.
std::optional<std::uint64_t> arrow_id(const chrome_event& event) {
  std::string_view digits = event.id;
  if (event.id_is_text && digits.starts_with("0x")) digits.remove_prefix(2);
  std::uint64_t id = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, id, event.id_is_text ? 16 : 10);
  if (error != std::errc() || stopped != end || id > INT64_MAX) return {};
  return id;
}

class linter {
 public:
  void add(const chrome_event& event) {
    if (event.phase == "M") return add_name(event);
    if (event.phase != "X" && event.phase != "i" && event.phase != "s" && event.phase != "f" &&
        event.phase != "C") {
      return report(event, fmt::format("has the phase \"{}\", which no rule covers", event.phase));
    }
    if (event.name.empty()) report(event, "has no name");
    const std::optional<track_id> track = track_of(event);
    const std::optional<std::int64_t> ts_ns = time_of(event, "ts", event.ts);
    if (event.phase == "X") {
      const std::optional<std::int64_t> dur_ns = time_of(event, "dur", event.dur);
      if (track && ts_ns && dur_ns) {
        slices_.push_back({*track, *ts_ns, *ts_ns + *dur_ns, remember(event)});
      }
    } else if (event.phase == "i") {
      if (event.instant_scope != "t" && event.instant_scope != "p" && event.instant_scope != "g") {
        report(event, "is an instant without a scope \"s\" of t, p or g");
      }
    } else if (event.phase == "C") {
      if (event.numbers == 0 || event.others > 0) {
        report(event, "is a counter whose args are not all numbers");
      }
    } else if (event.phase == "s" || event.phase == "f") {
      add_arrow_end(event, track, ts_ns);
    }
  }

  void add_problem(std::string text) {
    ++problems_;
    if (messages_.size() < most_messages) messages_.push_back(std::move(text));
  }

  std::vector<std::string> finish() {
    check_names();
    check_overlaps();
    check_arrows();
    if (problems_ > messages_.size()) {
      messages_.push_back(fmt::format("and {} more", problems_ - messages_.size()));
    }
    return std::move(messages_);
  }

 private:
  void report(const chrome_event& event, std::string_view what) {
    add_problem(fmt::format("event {} (\"{}\") {}", event.index, event.name, what));
  }
  void report(std::size_t at, std::string_view what) {
    add_problem(fmt::format("event {} (\"{}\") {}", places_[at].index, name_of(places_[at]), what));
  }

  std::size_t remember(const chrome_event& event) {
    places_.push_back({event.index, names_.number_of(event.name)});
    return places_.size() - 1;
  }
  const std::string& name_of(const place& of) const { return names_[of.name]; }

  std::optional<track_id> track_of(const chrome_event& event) {
    const std::optional<std::uint32_t> pid = chrome_id(event.pid);
    const std::optional<std::uint32_t> tid = chrome_id(event.tid);
    if (!pid) report(event, fmt::format("has the pid {}, no small unsigned integer", event.pid));
    if (!tid) report(event, fmt::format("has the tid {}, no small unsigned integer", event.tid));
    if (!pid || !tid) return {};
    const track_id track{*pid, *tid};
    if (tracks_.empty() || track != last_track_) tracks_.insert(track);
    last_track_ = track;
    return track;
  }

  std::optional<std::int64_t> time_of(const chrome_event& event, std::string_view field,
                                      std::string_view text) {
    std::string wrong;
    const std::optional<std::int64_t> ns = chrome_time_ns(text, wrong);
    if (!ns) report(event, fmt::format("has a {} that {}: {}", field, wrong, text));
    // An importer holds microseconds as a double, which has nanoseconds up to here.
    constexpr std::int64_t most_exact_ns = std::int64_t{1} << 52;
    if (ns && *ns > most_exact_ns) {
      report(event,
             fmt::format("has a {} that is too large to keep its nanoseconds: {}", field, text));
    }
    return ns;
  }

  void add_name(const chrome_event& event) {
    const std::optional<std::uint32_t> pid = chrome_id(event.pid);
    const std::optional<std::uint32_t> tid = chrome_id(event.tid);
    if (event.name == "process_name") {
      if (!pid) return report(event, "names a pid that is no small unsigned integer");
      if (event.named.empty()) return report(event, "gives an empty name");
      named_processes_.insert(*pid);
    } else if (event.name == "thread_name") {
      if (!pid || !tid)
        return report(event, "names a pid or tid that is no small unsigned integer");
      if (event.named.empty()) return report(event, "gives an empty name");
      named_tracks_.insert({*pid, *tid});
    }
  }

  void add_arrow_end(const chrome_event& event, const std::optional<track_id>& track,
                     const std::optional<std::int64_t>& ts_ns) {
    if (event.id.empty()) report(event, "is an arrow's end without an id");
    if (event.phase == "f" && event.binding != "e") report(event, "ends an arrow without bp \"e\"");
    if (event.id.empty() || !track || !ts_ns) return;
    const std::optional<std::uint64_t> id = arrow_id(event);
    if (!id) {
      return report(event, fmt::format("has the id {}, neither an integer of 63 bits nor a text of "
                                       "hexadecimal digits",
                                       event.id));
    }
    const auto [found, is_new] = arrow_at_.try_emplace(
        {names_.number_of(event.category), names_.number_of(event.name), *id}, arrows_.size());
    if (is_new) arrows_.emplace_back();
    arrow& whole = arrows_[found->second];
    std::optional<arrow_end>& end = event.phase == "s" ? whole.start : whole.end;
    if (end) {
      return report(event, fmt::format("repeats phase {} of arrow {}: ids must be unique",
                                       event.phase, event.id));
    }
    end = arrow_end{*track, *ts_ns, remember(event)};
  }

  void check_names() {
    std::set<std::uint32_t> nameless;
    for (const track_id& track : tracks_) {
      if (!named_processes_.contains(track.pid) && nameless.insert(track.pid).second) {
        add_problem(fmt::format("pid {} has no process_name", track.pid));
      }
      if (!named_tracks_.contains(track)) {
        add_problem(fmt::format("tid {} of pid {} has no thread_name", track.tid, track.pid));
      }
    }
  }

  void check_overlaps() {
    std::stable_sort(slices_.begin(), slices_.end(), [](const slice& a, const slice& b) {
      return std::tie(a.track, a.start_ns, b.end_ns) < std::tie(b.track, b.start_ns, a.end_ns);
    });
    std::vector<const slice*> open;
    for (const slice& next : slices_) {
      if (!open.empty() && open.back()->track != next.track) open.clear();
      while (!open.empty() && open.back()->end_ns <= next.start_ns) open.pop_back();
      if (!open.empty() && open.back()->end_ns < next.end_ns) {
        const place& other = places_[open.back()->at];
        report(next.at, fmt::format("partly overlaps event {} (\"{}\") on tid {} of pid {}",
                                    other.index, name_of(other), next.track.tid, next.track.pid));
        continue;
      }
      open.push_back(&next);
    }
  }

  /// Whether a slice of the track covers the moment. Needs the slices sorted.
  bool on_a_slice(const arrow_end& end) {
    if (latest_end_ns_.empty()) {
      for (std::size_t i = 0; i < slices_.size(); ++i) {
        const bool first = i == 0 || slices_[i - 1].track != slices_[i].track;
        latest_end_ns_.push_back(first ? slices_[i].end_ns
                                       : std::max(latest_end_ns_[i - 1], slices_[i].end_ns));
      }
    }
    const auto after = std::upper_bound(slices_.begin(), slices_.end(), end,
                                        [](const arrow_end& moment, const slice& candidate) {
                                          return std::tie(moment.track, moment.ts_ns) <
                                                 std::tie(candidate.track, candidate.start_ns);
                                        });
    if (after == slices_.begin()) return false;
    const std::size_t last = static_cast<std::size_t>(after - slices_.begin()) - 1;
    return slices_[last].track == end.track && latest_end_ns_[last] >= end.ts_ns;
  }

  void check_arrows() {
    for (const arrow& whole : arrows_) {
      if (!whole.start) report(whole.end->at, "ends an arrow that has no start");
      if (!whole.end) report(whole.start->at, "starts an arrow that has no end");
      for (const std::optional<arrow_end>& end : {whole.start, whole.end}) {
        if (end && !on_a_slice(*end)) report(end->at, "is an arrow's end on no slice");
      }
      if (whole.start && whole.end && whole.start->ts_ns > whole.end->ts_ns) {
        report(whole.end->at, "ends an arrow before its start");
      }
    }
  }

  std::vector<std::string> messages_;
  std::size_t problems_ = 0;
  std::vector<place> places_;
  std::vector<slice> slices_;
  std::vector<std::int64_t> latest_end_ns_;  ///< by sorted slice: of its track so far
  name_table names_;
  std::vector<arrow> arrows_;
  std::unordered_map<arrow_key, std::size_t, arrow_hash> arrow_at_;
  std::set<track_id> tracks_;
  track_id last_track_;
  std::set<track_id> named_tracks_;
  std::set<std::uint32_t> named_processes_;
};

}  // namespace

lint_result lint(std::string_view trace) {
  linter rules;
  const chrome_frame frame = read_chrome_events(
      trace, chrome_details::left_out, [&rules](const chrome_event& event) { rules.add(event); });
  for (const std::string& problem : frame.problems) rules.add_problem(problem);
  return {rules.finish(), !frame.problems.empty()};
}

}  // namespace ithaca::traces
