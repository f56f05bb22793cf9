#include "backend/sim/world.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "backend/errors.hpp"
#include "backend/sim/sim_stream.hpp"

namespace ithaca::sim {
namespace {

/// A program that still tries after so many ends of the world will not stop by itself.
constexpr int most_stops = 1000;

}  // namespace

world::world(int ranks, bool move_bytes, policy& chooses)
    : ranks_(ranks),
      policy_(chooses),
      memory_(ranks, move_bytes),
      next_component_(static_cast<std::uint32_t>(ranks)),
      free_components_(static_cast<std::size_t>(ranks)) {}

void world::add_host(std::function<void()> body) {
  const int rank = static_cast<int>(hosts_.size());
  hosts_.push_back(
      std::make_unique<host_program>(*this, rank, checker_.add_party(rank, ""), std::move(body)));
  enter(*hosts_.back());
}

void world::run() {
  for (const auto& each : hosts_) wake(*each);
  while (true) {
    const std::optional<std::uint32_t> chosen = policy_.next();
    if (!chosen) {
      if (std::ranges::all_of(hosts_, [](const auto& each) { return each->ended(); })) return;
      give_up();
      continue;
    }
    actor* const who = actors_[*chosen];
    if (!who) continue;
    who->offered = false;
    if (!who->possible()) {
      who->watch();
      continue;
    }
    ++steps_;
    digest_ = (digest_ ^ (*chosen * 8 + static_cast<std::uint64_t>(who->next_step().kind))) *
              1099511628211ull;
    who->take();
  }
}

void world::enter(actor& each) {
  each.number = static_cast<std::uint32_t>(actors_.size());
  actors_.push_back(&each);
}

void world::leave(const actor& each) { actors_[each.number] = nullptr; }

void world::wake(actor& each) {
  if (each.offered || !each.possible()) return;
  each.offered = true;
  policy_.offer(each.next_step());
}

void world::wake_all(const std::vector<actor*>& watchers) {
  for (actor* each : watchers) wake(*each);
}

std::uint32_t world::take_component(int rank) {
  auto& own = free_components_[static_cast<std::size_t>(rank)];
  if (!own.empty()) {
    const std::uint32_t component = own.back();
    own.pop_back();
    return component;
  }
  if (next_component_ == vector_clock::capacity) {
    throw invalid_use("simulated device: at most " + std::to_string(vector_clock::capacity) +
                      " ranks and streams can be told apart; use fewer ranks");
  }
  return next_component_++;
}

void world::give_component(int rank, std::uint32_t component) {
  free_components_[static_cast<std::size_t>(rank)].push_back(component);
}

sim_operation& world::take_operation() {
  ++operations_;
  if (!free_) {
    made_.push_back(std::make_unique<sim_operation>());
    return *made_.back();
  }
  sim_operation& taken = *free_;
  free_ = taken.next;
  taken.next = nullptr;
  return taken;
}

void world::give_operation(sim_operation& done) {
  done.bytes = 0;
  done.accesses.clear();
  done.awaited = done.sent = done.ended = {};
  done.exactly = false;
  done.before.clear();
  done.after.clear();
  done.last.clear();
  done.record.reset();
  done.host = nullptr;
  done.enqueued.reset();
  done.observed.reset();
  done.sound = true;
  done.next = free_;
  free_ = &done;
}

void world::map(allocation& memory, int rank) { ++memory.mappings[static_cast<std::size_t>(rank)]; }

void world::unmap(allocation& memory, int rank) noexcept {
  int& mine = memory.mappings[static_cast<std::size_t>(rank)];
  // In unwinding, memory goes as it comes.
  if (mine == 1 && std::uncaught_exceptions() == 0) {
    const bool owner = memory.owner == rank;
    for (actor* each : actors_) {
      const auto* const at = dynamic_cast<const sim_stream*>(each);
      if (!at || (!owner && at->rank() != rank)) continue;
      at->for_each_use(memory, owner && at->rank() != rank, [&](const operation_note& by) {
        checker_.let_go_too_early(memory, rank, by);
      });
    }
    checker_.let_go(memory, rank, host_note(rank, "release of memory"), host(rank).heard());
  }
  --mine;
  memory.owner_let_go |= memory.owner == rank && mine == 0;
  if (std::ranges::all_of(memory.mappings, [](int count) { return count == 0; })) {
    memory_.discard(memory);
  }
}

operation_note world::host_note(int rank, std::string_view name) {
  operation_note note;
  note.at = {static_cast<std::uint32_t>(rank),
             host(rank).heard().of(static_cast<std::uint32_t>(rank))};
  note.party = host(rank).party();
  note.name = checker_.names().number(name);
  return note;
}

void world::require_hope() const {
  if (stops_ > most_stops) throw exchange_broken("simulated world: nothing can run any more");
}

void world::give_up() {
  ++stops_;
  if (stops_ == 1) checker_.deadlock(deadlock_story());
  for (const auto& each : hosts_) {
    if (each->ended()) continue;
    each->give_up();
    wake(*each);
  }
}

std::string world::deadlock_story() const {
  // What waits for other ranks says why; what waits for those is told behind.
  std::string first, behind;
  for (const actor* each : actors_) {
    if (!each) continue;
    const blockage what = each->waits_for();
    if (!what.text.empty()) (what.on_other_ranks ? first : behind) += "\n  " + what.text;
  }
  return "deadlock: programs have not ended, and nothing can run" + first + behind;
}

}  // namespace ithaca::sim
