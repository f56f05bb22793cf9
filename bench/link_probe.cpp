#include "bench/link_probe.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backend/host_wait.hpp"
#include "backend/peer_memory.hpp"
#include "backend/step.hpp"

namespace ithaca::bench {
namespace {

constexpr int copies_per_pair = 7;
constexpr std::uint64_t handshakes = 200;

/// A ceiling needs 256 MB or more; the host device's only has to run.
std::size_t ceiling_bytes(device_kind kind) {
  return kind == device_kind::cuda ? std::size_t{512} << 20 : std::size_t{16} << 20;
}

void finish(stream& on, group& world) {
  require_done(world, [&] { return on.synchronize(world.deadline(), world.watched().get()); }, {});
}

double copy_gbps(group& world, device& on, const peer_memory& buffers, int target) {
  const std::size_t bytes = buffers.size_bytes() / 2;
  const auto flow = on.create_stream("probe", stream_priority::high);
  const auto begin = on.create_event(event_timing::on);
  const auto end = on.create_event(event_timing::on);
  std::vector<std::int64_t> times_ns;
  for (int repeat = 0; repeat <= copies_per_pair; ++repeat) {
    flow->record(*begin);
    flow->copy({buffers.mine(), bytes, buffers.at(target) + bytes, bytes, bytes, 1, true}, {});
    flow->record(*end);
    finish(*flow, world);
    if (repeat > 0) times_ns.push_back(end->elapsed_ns_since(*begin));
  }
  std::ranges::nth_element(times_ns, times_ns.begin() + copies_per_pair / 2);
  return static_cast<double>(bytes) / static_cast<double>(times_ns[copies_per_pair / 2]);
}

std::vector<reports::pair_ceiling> ceilings(group& world, device& on) {
  // The lower half is sent, the upper half received.
  const peer_memory buffers(world, on, on.allocate(2 * ceiling_bytes(on.kind())));
  std::vector<reports::pair_ceiling> all;
  for (int source = 0; source < world.size(); ++source) {
    for (int target = 0; target < world.size(); ++target) {
      if (source == target) continue;
      double gbps = 0;
      if (world.rank() == source) gbps = copy_gbps(world, on, buffers, target);
      const auto told = world.all_gather(std::as_bytes(std::span(&gbps, 1)));
      std::memcpy(&gbps, told[static_cast<std::size_t>(source)].data(), sizeof gbps);
      all.push_back({source, target, gbps});
    }
  }
  return all;
}

double handshake_us(group& world, device& on, start_gate& gate) {
  const auto size = static_cast<std::size_t>(world.size());
  std::shared_ptr<memory> page = on.allocate(size * sizeof(std::uint64_t));
  on.write(std::vector<std::byte>(page->size_bytes()), page->data());
  const peer_memory pages(world, on, page);
  const auto word = [&](int on_rank, int from) {
    return reinterpret_cast<std::uint64_t*>(pages.at(on_rank)) + from;
  };
  const auto line = on.create_stream("probe", stream_priority::high);
  const auto begin = on.create_event(event_timing::on);
  const auto end = on.create_event(event_timing::on);
  gate.hold(*line);
  line->record(*begin);
  for (std::uint64_t epoch = 1; epoch <= handshakes; ++epoch) {
    for (int step = 1; step < world.size(); ++step) {
      line->write_value(word((world.rank() + step) % world.size(), world.rank()), epoch, {});
    }
    for (int step = 1; step < world.size(); ++step) {
      line->wait_value(word(world.rank(), (world.rank() + step) % world.size()), epoch, {});
    }
  }
  line->record(*end);
  gate.open();
  finish(*line, world);
  const std::int64_t elapsed_ns = world.maximum(end->elapsed_ns_since(*begin));
  return static_cast<double>(elapsed_ns) / 1000.0 / static_cast<double>(handshakes);
}

}  // namespace

reports::links probe_links(group& world, device& on, start_gate& gate) {
  const step probing(world, [] { return "measuring the links, before epoch 1"; });
  reports::links links;
  links.ceilings = ceilings(world, on);
  links.handshake_us = handshake_us(world, on, gate);
  world.barrier();  // nobody unmaps what a peer still writes
  return links;
}

}  // namespace ithaca::bench
