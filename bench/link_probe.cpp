#include "bench/link_probe.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
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

/// This rank's, to every other rank of its host.
std::vector<reports::pair_ceiling> ceilings(host_site& host, device& on) {
  group& ranks = host.ranks();
  // The lower half is sent, the upper half received.
  const peer_memory buffers(ranks, on, on.allocate(2 * ceiling_bytes(on.kind())));
  const auto world_rank = [&](int of) { return host.global_ranks()[static_cast<std::size_t>(of)]; };
  std::vector<reports::pair_ceiling> mine;
  for (int source = 0; source < ranks.size(); ++source) {
    for (int target = 0; target < ranks.size(); ++target) {
      if (source == target) continue;
      if (ranks.rank() == source) {
        mine.push_back(
            {world_rank(source), world_rank(target), copy_gbps(ranks, on, buffers, target)});
      }
      ranks.barrier();
    }
  }
  return mine;
}

std::vector<reports::pair_ceiling> gathered(group& world,
                                            const std::vector<reports::pair_ceiling>& mine) {
  std::vector<reports::pair_ceiling> all;
  for (const auto& bytes : world.all_gather(std::as_bytes(std::span(mine)))) {
    std::vector<reports::pair_ceiling> theirs(bytes.size() / sizeof(reports::pair_ceiling));
    if (!bytes.empty()) std::memcpy(theirs.data(), bytes.data(), bytes.size());
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  return all;
}

/// Empty if no host has two ranks.
std::optional<double> handshake_us(group& world, group& on_host, device& on, start_gate& gate) {
  const int rank = on_host.rank();
  const int size = on_host.size();
  std::shared_ptr<memory> page =
      on.allocate(static_cast<std::size_t>(size) * sizeof(std::uint64_t));
  on.write(std::vector<std::byte>(page->size_bytes()), page->data());
  const peer_memory pages(on_host, on, page);
  const auto word = [&](int on_rank, int from) {
    return reinterpret_cast<std::uint64_t*>(pages.at(on_rank)) + from;
  };
  const auto line = on.create_stream("probe", stream_priority::high);
  const auto begin = on.create_event(event_timing::on);
  const auto end = on.create_event(event_timing::on);
  gate.hold(*line);
  line->record(*begin);
  for (std::uint64_t epoch = 1; epoch <= handshakes; ++epoch) {
    for (int step = 1; step < size; ++step) {
      line->write_value(word((rank + step) % size, rank), epoch, {});
    }
    for (int step = 1; step < size; ++step) {
      line->wait_value(word(rank, (rank + step) % size), epoch, {});
    }
  }
  line->record(*end);
  gate.open();
  finish(*line, world);
  const std::int64_t elapsed_ns = world.maximum(size > 1 ? end->elapsed_ns_since(*begin) : 0);
  world.barrier();  // nobody unmaps what a peer still writes
  if (elapsed_ns == 0) return std::nullopt;
  return static_cast<double>(elapsed_ns) / 1000.0 / static_cast<double>(handshakes);
}

}  // namespace

reports::links probe_links(group& world, host_site& host, device& on, start_gate& gate) {
  const step probing(world, [] { return "measuring the links, before epoch 1"; });
  reports::links links;
  links.ceilings = gathered(world, ceilings(host, on));
  links.handshake_us = handshake_us(world, host.ranks(), on, gate);
  return links;
}

}  // namespace ithaca::bench
