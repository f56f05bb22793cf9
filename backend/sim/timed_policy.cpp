#include "backend/sim/timed_policy.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "backend/sim/memory_map.hpp"
#include "backend/sim/sim_event.hpp"

namespace ithaca::sim {
namespace {

/// As many as may be under way to streams that lag; before that, all are seen.
constexpr std::size_t kept_writes = 32;

std::uint64_t size_of(const pitched_bytes& bytes) { return bytes.width * bytes.height; }

/// What a kernel writes, by the rank that owns the memory.
std::vector<fabric_part> written_parts(const sim_operation& op) {
  std::map<int, std::uint64_t> bytes;
  for (const declared_access& each : op.accesses) {
    if (each.kind != access_kind::read)
      bytes[each.in ? each.in->owner : op.rank] += size_of(each.bytes);
  }
  std::vector<fabric_part> parts;
  for (const auto& [to, count] : bytes) parts.push_back({to, count});
  return parts;
}

/// What bounds a kernel that stays at home.
std::uint64_t local_bytes(const sim_operation& op) {
  std::uint64_t read = 0, written = 0;
  for (const declared_access& each : op.accesses) {
    (each.kind == access_kind::read ? read : written) += size_of(each.bytes);
  }
  return std::max(read, written);
}

bool signals(const sim_operation& kernel) { return !kernel.after.empty() || kernel.sent.at; }

}  // namespace

timed_policy::timed_policy(const fabric_figures& figures, int ranks, timed_run run)
    : fabric_(figures, ranks), run_(run), random_(run.seed) {}

void timed_policy::offer(const step& what) {
  switch (what.kind) {
    case step_kind::host:
      return enqueue(what, now_ns() + host_cost_ns(what.operation));
    case step_kind::pass:
      return enqueue(what, pass_at_ns(*what.operation));
    case step_kind::begin: {
      const bool kernel = what.operation->kind == sim_operation_kind::kernel;
      return enqueue(what, now_ns() + (kernel ? figures().kernel_ns : 0));
    }
    case step_kind::end:
      return begin_transfer(what);
    case step_kind::signal:
      return enqueue(what, signal_at_ns(what));
  }
}

std::optional<std::uint32_t> timed_policy::next() {
  while (true) {
    const std::optional<std::int64_t> moves_ns = fabric_.next_ns();
    if (moves_ns && (due_.empty() || *moves_ns <= due_.front().at_ns)) {
      for (const fabric::transfer_id ended : fabric_.advance(*moves_ns)) {
        enqueue(moving_.extract(ended).mapped(), *moves_ns);
      }
      continue;
    }
    if (due_.empty()) return std::nullopt;
    std::ranges::pop_heap(due_, std::greater());
    const due_step first = due_.back();
    due_.pop_back();
    fabric_.advance(first.at_ns);
    // A kernel looks at all signals that are there; some may have come since, and be on their way.
    if (first.what.kind == step_kind::signal && signal_at_ns(first.what) > now_ns()) {
      enqueue(first.what, signal_at_ns(first.what));
      continue;
    }
    note(first.what);
    return first.what.actor;
  }
}

void timed_policy::enqueue(const step& what, std::int64_t at_ns) {
  due_.push_back({at_ns, ++offered_, what});
  std::ranges::push_heap(due_, std::greater());
}

std::int64_t timed_policy::host_cost_ns(const sim_operation* behind) const {
  if (!behind) return now_ns() == 0 ? 0 : figures().host_wake_ns;
  switch (behind->kind) {
    case sim_operation_kind::copy:
      return figures().host_copy_ns;
    case sim_operation_kind::kernel:
      return figures().host_launch_ns;
    case sim_operation_kind::write_value:
    case sim_operation_kind::wait_value:
      return figures().host_signal_ns;
    case sim_operation_kind::record_event:
    case sim_operation_kind::wait_event:
      break;
  }
  return figures().host_event_ns;
}

std::int64_t timed_policy::pass_at_ns(const sim_operation& op) {
  switch (op.kind) {
    case sim_operation_kind::write_value:
      return now_ns() + figures().signal_write_ns;
    case sim_operation_kind::wait_value: {
      std::int64_t seen_ns = seen_at_ns(op.awaited);
      if (!writes_.contains(op.awaited.at) && figures().arrival_skew_ns > 0) {
        seen_ns += static_cast<std::int64_t>(
            random_() % (static_cast<std::uint64_t>(figures().arrival_skew_ns) + 1));
      }
      return seen_ns + figures().signal_wait_ns;
    }
    case sim_operation_kind::wait_event:
      return std::max(now_ns(), op.record->at_ns + figures().event_ns);
    case sim_operation_kind::record_event:
    case sim_operation_kind::copy:
    case sim_operation_kind::kernel:
      break;
  }
  return now_ns();
}

std::int64_t timed_policy::signal_at_ns(const step& what) const {
  const sim_operation& op = *what.operation;
  const auto past = past_bytes_.find(what.actor);
  const bool has_moved = past != past_bytes_.end() && past->second;
  if (has_moved && signals(op)) return now_ns();
  std::int64_t seen_ns = now_ns();
  for (const signal& each : has_moved ? op.last : op.before) {
    if (has_reached(each.at->history.value(), each.value)) {
      seen_ns = std::max(seen_ns, seen_at_ns(each));
    }
  }
  return seen_ns;
}

std::int64_t timed_policy::seen_at_ns(const signal& awaited) const {
  const auto found = writes_.find(awaited.at);
  if (found == writes_.end()) return now_ns();
  const auto counted_on = std::ranges::find_if(
      found->second, [&](const written& each) { return has_reached(each.value, awaited.value); });
  if (counted_on == found->second.end()) return now_ns();
  return std::max(now_ns(), counted_on->at_ns + figures().signal_flight_ns);
}

void timed_policy::begin_transfer(const step& what) {
  const sim_operation& op = *what.operation;
  fabric::transfer_id begun = 0;
  if (op.kind == sim_operation_kind::copy) {
    const int from = op.source_rank() < 0 ? op.rank : op.source_rank();
    const int to = op.target_rank() < 0 ? op.rank : op.target_rank();
    const auto last = last_copy_ns_.find(what.actor);
    const bool warm =
        last != last_copy_ns_.end() && now_ns() - last->second <= figures().first_copy_ns;
    const std::int64_t latency_ns = from == to ? figures().local_copy_ns
                                    : warm     ? figures().next_copy_ns
                                               : figures().first_copy_ns;
    begun = fabric_.copy(from, {to, op.bytes}, latency_ns);
  } else {
    const std::vector<fabric_part> parts = written_parts(op);
    const bool pushes =
        std::ranges::any_of(parts, [&](const fabric_part& part) { return part.to != op.rank; });
    const int ctas = signals(op) ? run_.push_exchange_ctas : run_.push_ctas;
    begun = pushes ? fabric_.push(op.rank, parts, ctas, figures().push_ns)
                   : fabric_.copy(op.rank, {op.rank, local_bytes(op)}, 0);
  }
  moving_.emplace(begun, what);
}

void timed_policy::note(const step& what) {
  if (what.kind == step_kind::host) return;
  const sim_operation& op = *what.operation;
  switch (what.kind) {
    case step_kind::pass:
      if (op.kind == sim_operation_kind::write_value) note_write(op.awaited);
      break;
    case step_kind::begin:
      past_bytes_[what.actor] = false;
      break;
    case step_kind::end:
      past_bytes_[what.actor] = true;
      if (op.kind == sim_operation_kind::copy) last_copy_ns_[what.actor] = now_ns();
      break;
    case step_kind::signal:
      // Which of them is written first makes no difference: all are, at this time.
      if (!past_bytes_[what.actor]) break;
      for (const signal& each : op.after) note_write(each);
      if (op.sent.at) note_write(op.sent);
      if (!signals(op) && op.ended.at) note_write(op.ended);
      break;
    case step_kind::host:
      break;
  }
}

void timed_policy::note_write(const signal& of) {
  std::vector<written>& kept = writes_[of.at];
  if (!kept.empty() && kept.back().value == of.value) return;
  if (kept.size() == kept_writes) kept.erase(kept.begin());
  kept.push_back({of.value, now_ns()});
}

}  // namespace ithaca::sim
