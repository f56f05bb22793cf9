#include "backend/sim/checker.hpp"

#include <algorithm>
#include <utility>

namespace ithaca::sim {
namespace {

std::string quoted(const std::string& text) { return '"' + text + '"'; }

const char* verb_of(access_kind kind) {
  if (kind == access_kind::read) return "reads";
  return kind == access_kind::write ? "writes" : "adds to";
}

pitched_bytes bytes_of(const word& at) {
  return {reinterpret_cast<const std::byte*>(at.address), 8, 8, 1};
}

}  // namespace

std::uint32_t checker::add_party(int rank, std::string stream) {
  const auto same = std::ranges::count_if(
      parties_, [&](const party& each) { return each.rank == rank && each.stream == stream; });
  parties_.push_back({rank, std::move(stream), static_cast<int>(same) + 1});
  return static_cast<std::uint32_t>(parties_.size() - 1);
}

// ---- judging ------------------------------------------------------------------------------------

bool checker::access(const declared_access& what, const operation_note& by,
                     const vector_clock& heard) {
  const int rank = parties_[by.party].rank;
  const char* const verb = verb_of(what.kind);
  if (!there(what.in, by, rank, verb)) return false;
  if (end_of(what.bytes) > what.in->data + what.in->size_bytes) {
    report(
        finding_kind::lost_memory, by, by,
        "lost memory: " + describe(by) + " " + verb + " beyond the end of " + describe(*what.in));
    return false;
  }
  remember(by);
  if (const auto found = what.in->accesses.add({what.bytes, what.kind, by}, heard)) {
    conflict(*what.in, *found, {what.bytes, what.kind, by}, heard);
  }
  most_accesses_ = std::max(most_accesses_, what.in->accesses.kept().size());
  for (const auto& [offset, at] : what.in->words) {
    const auto common = overlap(bytes_of(*at), what.bytes);
    if (!common) continue;
    const auto judge = [&](const operation_note& earlier, access_kind kind) {
      if (heard.has_seen(earlier.at)) return;
      conflict(*what.in, {{bytes_of(*at), kind, earlier}, *common}, {what.bytes, what.kind, by},
               heard);
    };
    if (const word_write* last = at->history.latest()) judge(last->by, access_kind::write);
    if (what.kind == access_kind::read) continue;
    for (const operation_note& wait : at->waits) judge(wait, access_kind::read);
  }
  return true;
}

bool checker::write(const signal& to, const operation_note& by, const vector_clock& heard) {
  word& at = *to.at;
  if (!there(at.in, by, parties_[by.party].rank, "writes a signal in")) {
    return false;
  }
  remember(by);
  const recorded_access now{bytes_of(at), access_kind::write, by};
  if (const auto found = at.in->accesses.look(now, heard)) conflict(*at.in, *found, now, heard);
  const word_write* const last = at.history.latest();
  if (last && !heard.has_seen(last->by.at)) {
    report(finding_kind::conflict, last->by, by,
           "conflict: two writes of one signal, " + describe(at) + ", in no order\n  " +
               describe(last->by) + " wrote " + std::to_string(last->value) + "\n  " +
               describe(by) + " writes " + std::to_string(to.value) + "\n  " +
               missing_order(last->by, by, heard));
  }
  at.history.write({to.value, heard, by});
  return true;
}

bool checker::acquire(const signal& of, bool exactly, const operation_note& by,
                      vector_clock& heard) {
  word& at = *of.at;
  if (!there(at.in, by, parties_[by.party].rank, "waits for a signal in")) {
    return false;
  }
  const recorded_access now{bytes_of(at), access_kind::read, by};
  if (const auto found = at.in->accesses.look(now, heard)) conflict(*at.in, *found, now, heard);
  const word_write* const counted_on =
      exactly ? at.history.latest_of(of.value) : at.history.counted_on(of.value, heard);
  if (counted_on) heard.join(counted_on->heard);
  const auto known = std::ranges::find_if(
      at.waits, [&](const operation_note& each) { return each.at.component == by.at.component; });
  if (known == at.waits.end()) {
    at.waits.push_back(by);
  } else {
    *known = by;
  }
  return true;
}

void checker::let_go(const allocation& gone, int rank, const operation_note& by,
                     const vector_clock& heard) {
  for (const recorded_access& each : gone.accesses.kept()) {
    const party& who = parties_[each.by.party];
    if (heard.has_seen(each.by.at) || (rank != gone.owner && who.rank != rank)) continue;
    report(finding_kind::lost_memory, each.by, by,
           "lost memory: " + describe_party(by.party) + " lets go of " + describe(gone) +
               " in no order with an operation that uses it\n  " + describe(each.by) + " " +
               verb_of(each.kind) + " it\n  " + missing_order(each.by, by, heard));
  }
}

void checker::let_go_too_early(const allocation& gone, int rank, const operation_note& enqueued) {
  report(finding_kind::lost_memory, enqueued, enqueued,
         "lost memory: rank " + std::to_string(rank) + "'s host program lets go of " +
             describe(gone) + " while an operation that uses it is enqueued\n  " +
             describe(enqueued) + " has not ended");
}

bool checker::there(const allocation* in, const operation_note& by, int rank, const char* verb) {
  std::string why;
  if (!in) {
    why = " memory that was never allocated";
  } else if (in->mappings[static_cast<std::size_t>(rank)] == 0) {
    why = " " + describe(*in) + ", which rank " + std::to_string(rank) +
          (in->owner_let_go ? " no longer has mapped" : " has not mapped");
  } else {
    return true;
  }
  report(finding_kind::lost_memory, by, by, "lost memory: " + describe(by) + " " + verb + why);
  return false;
}

// ---- stories ------------------------------------------------------------------------------------

void checker::deadlock(std::string story) {
  if (!stopped_) findings_.push_back({finding_kind::deadlock, std::move(story)});
  // What programs do once they gave up is no fault of theirs.
  stop();
}

void checker::conflict(const allocation& in, const access_history::conflict& with,
                       const recorded_access& now, const vector_clock& heard) {
  const recorded_access& earlier = with.earlier;
  const auto first = static_cast<std::size_t>(with.common.first - in.data);
  report(finding_kind::conflict, earlier.by, now.by,
         "conflict: bytes " + std::to_string(first) + " to " +
             std::to_string(first + with.common.count - 1) + " of " + describe(in) + "\n  " +
             describe(earlier.by) + " " + verb_of(earlier.kind) + " them\n  " + describe(now.by) +
             " " + verb_of(now.kind) + " them\n  " + missing_order(earlier.by, now.by, heard));
}

void checker::report(finding_kind kind, const operation_note& a, const operation_note& b,
                     std::string story) {
  if (stopped_ || findings_.size() >= most_findings) return;
  std::string key;
  for (const operation_note* each : {&a, &b}) {
    key += std::to_string(each->party) + ' ' + std::to_string(each->name) + ' ' +
           std::to_string(each->tag) + ' ' + std::to_string(each->peer) + ' ';
  }
  if (std::ranges::find(told_, key) != told_.end()) return;
  told_.push_back(std::move(key));
  findings_.push_back({kind, std::move(story)});
}

std::string checker::missing_order(const operation_note& earlier, const operation_note& later,
                                   const vector_clock& heard) const {
  const party& first = parties_[earlier.party];
  std::string known = "nothing that it did";
  const std::size_t remembered = std::min(first.count, party::most_remembered);
  for (std::size_t back = 1; back <= remembered; ++back) {
    const operation_note& each = first.recent[(first.count - back) % party::most_remembered];
    if (!heard.has_seen(each.at)) continue;
    known = "what it did up to " + what_of(each);
    break;
  }
  if (remembered == party::most_remembered && known.starts_with("nothing")) {
    known = "what it did long ago";
  }
  return "missing order: nothing makes the " + what_of(later) + " wait for the " +
         what_of(earlier) + ", nor the other way round: of " + describe_party(earlier.party) +
         ", it has heard of " + known;
}

std::string checker::what_of(const operation_note& note) const {
  std::string text = names_.text(note.name);
  const std::string& tag = names_.text(note.tag);
  if (!tag.empty()) text += " of " + tag;
  if (note.peer >= 0) {
    text += (text.starts_with("wait") ? " from rank " : " to rank ") + std::to_string(note.peer);
  }
  if (note.exchange > 0) text += " in exchange " + std::to_string(note.exchange);
  return text;
}

std::string checker::describe(const operation_note& note) const {
  return what_of(note) + " on " + describe_party(note.party);
}

std::string checker::describe_party(std::uint32_t number) const {
  const party& who = parties_[number];
  const std::string rank = "rank " + std::to_string(who.rank) + "'s ";
  if (who.stream.empty()) return rank + "host program";
  return rank + "stream " + quoted(who.stream) +
         (who.among_equals > 1 ? " #" + std::to_string(who.among_equals) : "");
}

std::string checker::describe(const allocation& memory) {
  return "rank " + std::to_string(memory.owner) + "'s allocation " + std::to_string(memory.number) +
         " (" + std::to_string(memory.size_bytes) + " bytes)";
}

std::string checker::describe(const word& at) const {
  const auto* first = reinterpret_cast<const std::byte*>(at.address);
  return "the word at byte " + std::to_string(first - at.in->data) + " of " + describe(*at.in);
}

void checker::remember(const operation_note& note) {
  party& who = parties_[note.party];
  if (who.count > 0) {
    operation_note& last = who.recent[(who.count - 1) % party::most_remembered];
    if (last.at.time == note.at.time) return;
  }
  who.recent[who.count++ % party::most_remembered] = note;
}

}  // namespace ithaca::sim
