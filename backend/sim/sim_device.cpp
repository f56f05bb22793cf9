#include "backend/sim/sim_device.hpp"

#include <cstring>
#include <utility>

#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "backend/sim/sim_event.hpp"
#include "backend/sim/sim_memory.hpp"
#include "backend/sim/sim_stream.hpp"

namespace ithaca::sim {

shared_memory sim_device::export_memory(const memory& allocated) {
  const std::uint32_t number = dynamic_cast<const sim_memory&>(allocated).mapped().number;
  const auto bytes = std::as_bytes(std::span(&number, 1));
  shared_memory shared;
  shared.handle.assign(bytes.begin(), bytes.end());
  return shared;
}

std::unique_ptr<memory> sim_device::import_memory(shared_memory theirs, std::size_t bytes) {
  std::uint32_t number = 0;
  if (theirs.handle.size() == sizeof number) {
    std::memcpy(&number, theirs.handle.data(), sizeof number);
  }
  allocation* const found = world_.memory().by_number(number);
  if (!found || found->size_bytes != bytes || found->owner_let_go) {
    throw invalid_use("simulated device: a peer's memory can't be mapped");
  }
  return std::make_unique<sim_memory>(world_, *found, rank_);
}

std::unique_ptr<memory> sim_device::register_host(void* address, std::size_t bytes) {
  return std::make_unique<sim_memory>(
      world_, world_.memory().adopt(rank_, static_cast<std::byte*>(address), bytes), rank_);
}

std::unique_ptr<stream> sim_device::create_stream(std::string name, stream_priority) {
  return std::make_unique<sim_stream>(world_, rank_, std::move(name), observers());
}

std::unique_ptr<event> sim_device::create_event(event_timing) {
  return std::make_unique<sim_event>();
}

bool sim_device::access(const std::byte* data, std::size_t bytes, access_kind kind) {
  operation_note by =
      world_.host_note(rank_, kind == access_kind::read ? "host read" : "host write");
  by.at = world_.host(rank_).tick();
  return world_.judge().access({world_.memory().find(data), {data, bytes, bytes, 1}, kind}, by,
                               world_.host(rank_).heard());
}

void sim_device::read(const std::byte* source, std::span<std::byte> to) {
  memory_map& memory = world_.memory();
  allocation* const in = memory.find(source);
  const auto known = in ? in->words.find(static_cast<std::size_t>(source - in->data))
                        : decltype(in->words.end()){};
  if (in && to.size() == sizeof(std::uint64_t) && known != in->words.end()) {
    const std::uint64_t value = known->second->history.value();
    std::memcpy(to.data(), &value, sizeof value);
    return;
  }
  const bool there = access(source, to.size(), access_kind::read);
  if (there && (memory.backed() || !in->reserved)) {
    std::memcpy(to.data(), source, to.size());
  } else {
    std::memset(to.data(), 0, to.size());
  }
}

void sim_device::write(std::span<const std::byte> from, std::byte* target) {
  memory_map& memory = world_.memory();
  if (!access(target, from.size(), access_kind::write)) return;
  allocation& in = *memory.find(target);
  if (memory.backed() || !in.reserved) std::memcpy(target, from.data(), from.size());
  const auto first = static_cast<std::size_t>(target - in.data);
  for (std::size_t at = (first + 7) / 8 * 8; at + 8 <= first + from.size(); at += 8) {
    std::uint64_t value = 0;
    std::memcpy(&value, from.data() + (at - first), sizeof value);
    // A word that nobody has named holds 0 anyway.
    if (value == 0 && !in.words.contains(at)) continue;
    if (memory.backed() && !in.words.contains(at)) continue;
    word& written = memory.word_at(reinterpret_cast<std::uint64_t*>(in.data + at));
    written.history.reset(value);
    written.waits.clear();
    world_.wake_all(written.watchers);
  }
}

bool sim_device::wait_until_reached(const std::uint64_t* address, std::uint64_t value,
                                    std::chrono::steady_clock::time_point, watch*) {
  word& at = world_.memory().word_at(address);
  host_program& host = world_.host(rank_);
  const bool reached = host.wait_until(
      [&at, value] { return has_reached(at.history.value(), value); },
      [this, &at, value] {
        return blockage{world_.judge().describe(at) + " to reach " + std::to_string(value) +
                            "; it holds " + std::to_string(at.history.value()),
                        true};
      },
      &at.watchers);
  if (!reached) return false;
  operation_note by = world_.host_note(rank_, "wait for a signal");
  by.at = host.tick();
  vector_clock heard = host.heard();
  world_.judge().acquire({&at, value}, false, by, heard);
  host.hear(heard);
  return true;
}

void sim_device::store_signal(std::uint64_t* address, std::uint64_t value) {
  word& at = world_.memory().word_at(address);
  operation_note by = world_.host_note(rank_, "store of a signal");
  by.at = world_.host(rank_).tick();
  if (!world_.judge().write({&at, value}, by, world_.host(rank_).heard())) return;
  if (world_.moves_bytes()) *address = value;
  world_.wake_all(at.watchers);
}

bool sim_device::reaches(const std::byte* address) const {
  const allocation* const in = world_.memory().find(address);
  return in && in->mappings[static_cast<std::size_t>(rank_)] > 0;
}

std::size_t sim_device::free_bytes() const {
  return moves_bytes() ? host_device().free_bytes() : std::size_t{1} << 46;
}

std::string sim_device::why_no_peer_access(const std::string& peer_identity) const {
  return peer_identity == identity() ? "" : "the ranks are in different worlds";
}

std::unique_ptr<memory> sim_device::do_allocate(std::size_t bytes, memory_sharing) {
  return std::make_unique<sim_memory>(world_, world_.memory().reserve(rank_, bytes), rank_);
}

}  // namespace ithaca::sim
