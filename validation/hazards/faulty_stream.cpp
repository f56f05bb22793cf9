#include "validation/hazards/faulty_stream.hpp"

#include <thread>

#include "backend/errors.hpp"
#include "backend/host/shared_word.hpp"
#include "backend/sim/sim_stream.hpp"
#include "kernels/delay.hpp"

namespace ithaca::validation {
namespace {

/// Looks for the exact value for a while: long enough that the test's deadline passes first, short
/// enough that its threads come to an end.
kernel_call equality_kernel(const std::uint64_t* address, std::uint64_t value) {
  kernel_call call;
  call.name = "wait_for_equality";
  call.host = [address, value] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
    while (load(address) != value && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  };
  return call;
}

}  // namespace

faulty_stream::faulty_stream(std::string name, const observer_slot& observers,
                             std::unique_ptr<stream> inner, defects with,
                             std::shared_ptr<const own_memory> own)
    : wrapped_stream(std::move(name), observers, std::move(inner)),
      defects_(with),
      own_(std::move(own)) {}

void faulty_stream::wait(const event& at) {
  if (defects_.broken == fault::no_source_wait && !callers_own()) return;
  if (defects_.broken == fault::no_sent_wait && callers_own()) return;
  if (defects_.broken == fault::no_reader_wait && name() == "copy") {
    held_waits_.push_back(&at);
    return;
  }
  wrapped_stream::wait(at);
}

bool faulty_stream::wait_until_idle(std::chrono::steady_clock::time_point deadline,
                                    watch* looks_at) {
  if (defects_.broken == fault::no_drain && !callers_own()) return true;
  return wrapped_stream::wait_until_idle(deadline, looks_at);
}

void faulty_stream::wait_for_equality(const std::uint64_t* address, std::uint64_t value,
                                      const operation_label& label) {
  if (auto* const simulated = dynamic_cast<sim::sim_stream*>(&inner())) {
    simulated->wait_for_equality(address, value, label);
  } else {
    inner().launch(equality_kernel(address, value), label);
  }
}

std::uint64_t faulty_stream::capture_id() const {
  return defects_.broken == fault::hidden_capture ? 0 : wrapped_stream::capture_id();
}

void faulty_stream::enqueue_held_waits() {
  for (const event* each : std::exchange(held_waits_, {})) inner().wait(*each);
}

void faulty_stream::move(std::function<void()> bytes, bool announced_later) {
  const auto slowly = [this, bytes = std::move(bytes)] {
    if (defects_.copy_delay.count() > 0) inner().launch(kernels::delay(defects_.copy_delay), {});
    bytes();
  };
  if (defects_.broken == fault::signal_before_copy && announced_later)
    held_back_.emplace_back(slowly);
  else
    slowly();
}

void faulty_stream::enqueue_copy(const copy_2d& op, const operation& record) {
  if (op.to_peer && defects_.loses_copies && !path_works()) return;
  enqueue_held_waits();
  behind_copy_ = op.to_peer;
  move([this, op, record] { inner().copy(op, label_of(record)); }, op.to_peer);
}

void faulty_stream::enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                                        const operation& record) {
  if (!own_->holds(address) && !path_works()) {
    if (defects_.refuses_stream_writes) throw exchange_broken("no stream writes into peers");
    if (defects_.loses_stream_writes) return;
  }
  held_waits_.clear();
  const bool behind_copy = std::exchange(behind_copy_, false);
  if (defects_.broken == fault::no_pace_write && behind_copy) return;
  if (defects_.broken == fault::flags_stay_up && value == 0) return;
  inner().write_value(address, value, label_of(record));
  for (const auto& held : std::exchange(held_back_, {})) held();
}

void faulty_stream::enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                                       const operation& record) {
  if (defects_.broken == fault::no_arrival_wait && callers_own()) return;
  if (defects_.broken == fault::no_release_wait && !callers_own()) return;
  if (defects_.broken == fault::equality_wait) {
    wait_for_equality(address, value, label_of(record));
  } else {
    inner().wait_value(address, value, label_of(record));
  }
}

void faulty_stream::enqueue_kernel(const kernel_call& call, const operation& record) {
  if (call.name == "signal_kernel") held_waits_.clear();
  enqueue_held_waits();
  const operation_label label = label_of(record);
  const auto await = [&](const std::vector<awaited_word>& words, fault without) {
    if (defects_.broken == without) return;
    for (const awaited_word& each : words) {
      if (defects_.broken == fault::equality_wait) {
        wait_for_equality(each.address, each.value, label);
      } else {
        inner().wait_value(each.address, each.value, label);
      }
    }
  };
  const auto signal = [&] {
    for (const signalled_word& each : call.signals.after) {
      inner().write_value(each.address, each.value, label);
    }
    if (call.signals.sent.address) {
      inner().write_value(call.signals.sent.address, call.signals.sent.value, label);
    }
  };
  kernel_call alone = call;
  alone.signals = {};
  const bool of_barrier = call.name == "signal_kernel" || call.name == "await_kernel";
  if (of_barrier) {
    signal();
    if (!call.signals.after.empty()) {
      for (const auto& held : std::exchange(held_back_, {})) held();
    }
    return await(call.signals.last, fault::no_arrival_wait);
  }
  if (!call.name.starts_with("push_")) return inner().launch(alone, label);
  const bool signals_itself = !call.signals.after.empty();
  await(call.signals.before, fault::no_release_wait);
  if (defects_.broken == fault::signal_before_copy) signal();
  move([this, alone, record] { inner().launch(alone, label_of(record)); }, !signals_itself);
  if (defects_.broken != fault::signal_before_copy) signal();
  if (signals_itself && defects_.delay_before_last.count() > 0) {
    inner().launch(kernels::delay(defects_.delay_before_last), {});
  }
  await(call.signals.last, fault::no_arrival_wait);
  if (call.signals.ended.address) {
    inner().write_value(call.signals.ended.address, call.signals.ended.value, label);
  }
}

}  // namespace ithaca::validation
