#include "backend/sim/sim_stream.hpp"

#include <cstring>
#include <utility>

#include "backend/errors.hpp"
#include "backend/observer_slot.hpp"
#include "backend/sim/sim_event.hpp"

namespace ithaca::sim {

sim_stream::sim_stream(world& in, int rank, std::string name, const observer_slot& observers)
    : stream(std::move(name), observers),
      world_(in),
      rank_(rank),
      party_(in.judge().add_party(rank, this->name())),
      component_(in.take_component(rank)),
      heard_(in.host(rank).heard()) {
  latest_.party = party_;
  world_.enter(*this);
}

sim_stream::~sim_stream() {
  world_.leave(*this);
  stop_watching();
  while (first_) {
    sim_operation& abandoned = *std::exchange(first_, first_->next);
    world_.give_operation(abandoned);
  }
  if (host().heard().of(component_) >= heard_.of(component_)) {
    world_.give_component(rank_, component_);
  }
}

// ---- what the host program calls ----------------------------------------------------------------

sim_operation& sim_stream::make(sim_operation_kind kind, std::string_view name) {
  sim_operation& made = world_.take_operation();
  made.kind = kind;
  made.rank = rank_;
  made.stream = number;
  made.note = {{component_, 0}, party_, world_.judge().names().number(name), 0, -1, 0};
  return made;
}

sim_operation& sim_stream::make(sim_operation_kind kind, const operation& record) {
  sim_operation& made = make(kind, record.name);
  made.note.tag = world_.judge().names().number(record.tag);
  made.note.peer = record.peer;
  made.note.exchange = record.exchange;
  made.bytes = record.bytes;
  if (observers().get()) made.observed = record;
  latest_ = made.note;
  return made;
}

declared_access sim_stream::declare(const pitched_bytes& bytes, access_kind kind) const {
  return {world_.memory().find(bytes.data), bytes, kind};
}

void sim_stream::enqueue(sim_operation& made) {
  const auto& snapshot = host().snapshot();
  if (snapshot != latest_snapshot_) made.enqueued = latest_snapshot_ = snapshot;
  if (last_) last_->next = &made;
  last_ = &made;
  if (!first_) {
    first_ = &made;
    to(phase::queued);
  }
  if (world_.chooses().pauses(rank_, made)) host().pause(&made);
}

void sim_stream::record(event& at) {
  sim_operation& made = make(sim_operation_kind::record_event, "record");
  made.record = dynamic_cast<sim_event&>(at).renew();
  made.record->behind = latest_;
  enqueue(made);
}

void sim_stream::wait(const event& at) {
  const auto& record = dynamic_cast<const sim_event&>(at).current();
  if (!record) return;  // as in CUDA, an event never recorded holds nobody
  sim_operation& made = make(sim_operation_kind::wait_event, "wait");
  made.record = record;
  enqueue(made);
}

void sim_stream::enqueue_copy(const copy_2d& op, const operation& record) {
  sim_operation& made = make(sim_operation_kind::copy, record);
  made.copy = op;
  made.accesses.push_back(
      declare({op.source, op.source_pitch, op.width, op.height}, access_kind::read));
  made.accesses.push_back(
      declare({op.target, op.target_pitch, op.width, op.height}, access_kind::write));
  enqueue(made);
}

void sim_stream::enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                                     const operation& record) {
  signal written{&world_.memory().word_at(address), value};
  sim_operation& made = make(sim_operation_kind::write_value, record);
  made.awaited = written;
  enqueue(made);
}

void sim_stream::enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                                    const operation& record) {
  signal looked_for{&world_.memory().word_at(address), value};
  sim_operation& made = make(sim_operation_kind::wait_value, record);
  made.awaited = looked_for;
  enqueue(made);
}

void sim_stream::wait_for_equality(const std::uint64_t* address, std::uint64_t value,
                                   const operation_label& label) {
  sim_operation& made = make(sim_operation_kind::wait_value,
                             operation{0, operation_kind::wait_value, "wait_for_equality", name(),
                                       std::string(label.tag), label.peer, label.exchange, 8});
  made.awaited = {&world_.memory().word_at(address), value};
  made.exactly = true;
  enqueue(made);
}

void sim_stream::enqueue_kernel(const kernel_call& call, const operation& record) {
  sim_operation& made = make(sim_operation_kind::kernel, record);
  for (const pitched_bytes& each : call.reads)
    made.accesses.push_back(declare(each, access_kind::read));
  for (const pitched_bytes& each : call.writes)
    made.accesses.push_back(declare(each, access_kind::write));
  for (const pitched_bytes& each : call.adds)
    made.accesses.push_back(declare(each, access_kind::add));
  memory_map& memory = world_.memory();
  for (const awaited_word& each : call.signals.before) {
    made.before.push_back({&memory.word_at(each.address), each.value});
  }
  for (const signalled_word& each : call.signals.after) {
    if (each.address) made.after.push_back({&memory.word_at(each.address), each.value});
  }
  for (const awaited_word& each : call.signals.last) {
    made.last.push_back({&memory.word_at(each.address), each.value});
  }
  if (const auto& sent = call.signals.sent; sent.address) {
    made.sent = {&memory.word_at(sent.address), sent.value};
  }
  if (const auto& ended = call.signals.ended; ended.address) {
    made.ended = {&memory.word_at(ended.address), ended.value};
  }
  // What touches no bytes only passes time.
  if (world_.moves_bytes() && !made.accesses.empty()) made.host = call.host;
  enqueue(made);
}

bool sim_stream::idle() {
  if (failure_) std::rethrow_exception(failure_);
  if (first_) {
    world_.require_hope();
    host().pause();
    if (failure_) std::rethrow_exception(failure_);
  }
  if (first_) return false;
  host().hear(heard_);
  return true;
}

bool sim_stream::wait_until_idle(std::chrono::steady_clock::time_point, ithaca::watch*) {
  const bool reached =
      host().wait_until([this] { return !first_ || failure_; },
                        [this] { return blockage{"its stream \"" + name() + '"'}; });
  return reached && idle();
}

void sim_stream::for_each_use(const allocation& memory, bool data_only,
                              const std::function<void(const operation_note&)>& use) const {
  for (const sim_operation* each = first_; each; each = each->next) {
    bool touches = false;
    for (const declared_access& access : each->accesses) touches |= access.in == &memory;
    if (!data_only) {
      const auto in_memory = [&](const signal& of) { return of.at && of.at->in == &memory; };
      touches |= in_memory(each->awaited) || in_memory(each->sent) || in_memory(each->ended);
      for (const auto* list : {&each->before, &each->after, &each->last}) {
        for (const signal& of : *list) touches |= in_memory(of);
      }
    }
    if (touches) use(each->note);
  }
}

// ---- what the world calls -----------------------------------------------------------------------

bool sim_stream::reached(const signal& of, bool exactly) const {
  const std::uint64_t seen = of.at->history.value();
  return exactly ? seen == of.value : has_reached(seen, of.value);
}

const signal* sim_stream::awaited() const {
  if (!first_) return nullptr;
  if (phase_ == phase::queued && first_->kind == sim_operation_kind::wait_value) {
    return &first_->awaited;
  }
  if (phase_ == phase::awaiting_before) return &first_->before[awaited_];
  if (phase_ == phase::awaiting_last) return &first_->last[awaited_];
  return nullptr;
}

bool sim_stream::possible() const {
  if (!first_ || failure_) return false;
  if (const signal* const word = awaited()) return reached(*word, first_->exactly);
  return first_->kind != sim_operation_kind::wait_event || first_->record->happened;
}

step sim_stream::next_step() const {
  step_kind kind = step_kind::signal;
  if (phase_ == phase::queued) {
    const bool takes_time =
        first_->kind == sim_operation_kind::copy || first_->kind == sim_operation_kind::kernel;
    kind = takes_time ? step_kind::begin : step_kind::pass;
  } else if (phase_ == phase::running) {
    kind = step_kind::end;
  }
  return {kind, number, rank_, first_};
}

void sim_stream::watch() {
  if (!first_) return;
  if (const signal* const word = awaited()) {
    actor::watch(word->at->watchers);
  } else if (first_->kind == sim_operation_kind::wait_event) {
    actor::watch(first_->record->watchers);
  }
}

void sim_stream::take() {
  stop_watching();
  sim_operation& op = *first_;
  switch (phase_) {
    case phase::queued:
      return begin();
    case phase::awaiting_before:
      while (awaited_ < op.before.size() && reached(op.before[awaited_])) {
        acquire(op.before[awaited_++]);
      }
      if (awaited_ < op.before.size()) return to(phase::awaiting_before);
      access(writing::yes);
      return to(phase::running);
    case phase::running:
      try {
        move_bytes();
      } catch (...) {
        failure_ = std::current_exception();
        return world_.wake(host());
      }
      if (!op.after.empty() || op.sent.at) return to(phase::signalling);
      awaited_ = 0;
      if (!op.last.empty()) return to(phase::awaiting_last);
      return op.ended.at ? to(phase::ending) : finish();
    case phase::signalling:
      return signal_next();
    case phase::awaiting_last:
      while (awaited_ < op.last.size() && reached(op.last[awaited_])) {
        acquire(op.last[awaited_++]);
      }
      if (awaited_ < op.last.size()) return to(phase::awaiting_last);
      return op.ended.at ? to(phase::ending) : finish();
    case phase::ending:
      write(op.ended);
      return finish();
  }
}

void sim_stream::begin() {
  sim_operation& op = *first_;
  if (op.enqueued) heard_.join(*op.enqueued);
  switch (op.kind) {
    case sim_operation_kind::record_event: {
      event_record& record = *op.record;
      record.happened = true;
      record.at_ns = world_.chooses().now_ns();
      record.heard = heard_;
      world_.wake_all(record.watchers);
      return finish();
    }
    case sim_operation_kind::wait_event:
      heard_.join(op.record->heard);
      return finish();
    case sim_operation_kind::wait_value:
      acquire(op.awaited);
      return finish();
    case sim_operation_kind::write_value:
      op.note.at = heard_.tick(component_);
      write(op.awaited);
      return finish();
    case sim_operation_kind::copy:
      op.begun_ns = world_.chooses().now_ns();
      access(writing::no);
      access(writing::yes);
      return to(phase::running);
    case sim_operation_kind::kernel:
      op.begun_ns = world_.chooses().now_ns();
      access(writing::no);
      awaited_ = 0;
      if (!op.before.empty()) return to(phase::awaiting_before);
      access(writing::yes);
      return to(phase::running);
  }
}

void sim_stream::access(writing now) {
  sim_operation& op = *first_;
  op.note.at = heard_.tick(component_);
  for (const declared_access& each : op.accesses) {
    const bool writes = each.kind != access_kind::read;
    if (writes == (now == writing::yes)) op.sound &= world_.judge().access(each, op.note, heard_);
  }
}

void sim_stream::move_bytes() {
  const sim_operation& op = *first_;
  if (!world_.moves_bytes() || !op.sound) return;
  if (op.host) return op.host();
  if (op.kind != sim_operation_kind::copy) return;
  for (std::size_t row = 0; row < op.copy.height; ++row) {
    std::memcpy(op.copy.target + row * op.copy.target_pitch,
                op.copy.source + row * op.copy.source_pitch, op.copy.width);
  }
}

/// One of `after`, which have no order among them; `sent` behind all of them.
void sim_stream::signal_next() {
  sim_operation& op = *first_;
  if (!op.after.empty()) {
    std::swap(op.after[world_.chooses().pick(op.after.size())], op.after.back());
    write(op.after.back());
    op.after.pop_back();
  } else {
    write(std::exchange(op.sent, {}));
  }
  if (!op.after.empty() || op.sent.at) return to(phase::signalling);
  awaited_ = 0;
  if (!op.last.empty()) return to(phase::awaiting_last);
  return op.ended.at ? to(phase::ending) : finish();
}

void sim_stream::write(const signal& to) {
  if (!world_.judge().write(to, first_->note, heard_)) return;
  if (world_.moves_bytes() || !to.at->in->reserved) *to.at->address = to.value;
  world_.wake_all(to.at->watchers);
}

void sim_stream::acquire(const signal& from) {
  first_->note.at = heard_.tick(component_);
  world_.judge().acquire(from, first_->exactly, first_->note, heard_);
}

void sim_stream::to(phase next) {
  phase_ = next;
  if (possible()) {
    world_.wake(*this);
  } else {
    watch();
  }
}

void sim_stream::finish() {
  sim_operation& done = *first_;
  if (done.observed) {
    if (observer* const watcher = observers().get()) {
      const std::int64_t now = world_.chooses().now_ns();
      const bool took_time =
          done.kind == sim_operation_kind::copy || done.kind == sim_operation_kind::kernel;
      watcher->executed(*done.observed, took_time ? done.begun_ns : now, now);
    }
  }
  first_ = done.next;
  done.next = nullptr;
  world_.give_operation(done);
  if (first_) return to(phase::queued);
  last_ = nullptr;
  world_.wake(host());
}

blockage sim_stream::waits_for() const {
  if (possible() || !first_) return {};
  std::string text = world_.judge().describe_party(party_);
  if (const signal* const word = awaited()) {
    const checker& judge = world_.judge();
    text += ": " + judge.what_of(first_->note) + " waits for " + judge.describe(*word->at) +
            " to " + (first_->exactly ? "be exactly " : "reach ") + std::to_string(word->value) +
            "; it holds " + std::to_string(word->at->history.value());
    if (const word_write* last = word->at->history.latest()) {
      text += ", written by " + judge.describe(last->by);
    } else {
      text += ", and nobody has written it";
    }
    return {text, true};
  }
  return {text + " waits for an event behind " + world_.judge().describe(first_->record->behind)};
}

}  // namespace ithaca::sim
