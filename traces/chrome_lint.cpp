#include "traces/chrome_lint.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "traces/chrome_reader.hpp"

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
  std::string name;
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

/// An unsigned integer that fits the importer's 32 bits with room for its sign.
std::optional<std::uint32_t> small_unsigned(std::string_view text) {
  std::uint32_t value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stopped != text.data() + text.size() || value > 0x7fffffff) return {};
  return value;
}

/// Microseconds as written, in nanoseconds; or what is wrong with them.
std::optional<std::int64_t> to_ns(std::string_view text, std::string& wrong) {
  if (text.empty()) {
    wrong = "is missing";
    return {};
  }
  if (text.front() == '-') {
    wrong = "is negative";
    return {};
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view decimals = text.substr(std::min(point + 1, text.size()));
  std::int64_t us = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + point, us);
  const bool digits =
      std::all_of(decimals.begin(), decimals.end(), [](char c) { return c >= '0' && c <= '9'; });
  constexpr std::int64_t most_us = INT64_MAX / 4000;  // so that ts + dur fits, too
  if (error != std::errc() || stopped != text.data() + point || !digits || us > most_us) {
    wrong = "is no plain decimal number of microseconds";
    return {};
  }
  if (decimals.size() > 3) {
    wrong = "has more than three decimals";
    return {};
  }
  std::int64_t ns = us * 1000;
  std::int64_t unit = 100;
  for (const char digit : decimals) {
    ns += (digit - '0') * unit;
    unit /= 10;
  }
  return ns;
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
    add_problem(fmt::format("event {} (\"{}\") {}", places_[at].index, places_[at].name, what));
  }

  std::size_t remember(const chrome_event& event) {
    places_.push_back({event.index, event.name});
    return places_.size() - 1;
  }

  std::optional<track_id> track_of(const chrome_event& event) {
    const std::optional<std::uint32_t> pid = small_unsigned(event.pid);
    const std::optional<std::uint32_t> tid = small_unsigned(event.tid);
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
    const std::optional<std::int64_t> ns = to_ns(text, wrong);
    if (!ns) report(event, fmt::format("has a {} that {}: {}", field, wrong, text));
    return ns;
  }

  void add_name(const chrome_event& event) {
    const std::optional<std::uint32_t> pid = small_unsigned(event.pid);
    const std::optional<std::uint32_t> tid = small_unsigned(event.tid);
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
    // An importer tells arrows apart by all three.
    arrow& whole = arrows_[event.category + '\n' + event.name + '\n' + event.id];
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
                                    other.index, other.name, next.track.tid, next.track.pid));
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
    for (const auto& [key, whole] : arrows_) {
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
  std::map<std::string, arrow> arrows_;
  std::set<track_id> tracks_;
  track_id last_track_;
  std::set<track_id> named_tracks_;
  std::set<std::uint32_t> named_processes_;
};

}  // namespace

std::vector<std::string> lint(std::istream& trace) {
  linter rules;
  const std::vector<std::string> problems =
      read_chrome_events(trace, [&rules](const chrome_event& event) { rules.add(event); });
  for (const std::string& problem : problems) rules.add_problem(problem);
  return rules.finish();
}

}  // namespace ithaca::traces
