#include "bench/link_probe.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "backend/host_wait.hpp"
#include "backend/peer_routes.hpp"
#include "backend/step.hpp"

namespace ithaca::bench {
namespace {

constexpr int copies_per_pair = 7;
constexpr std::size_t most_handshakes = 64;

/// As many as a stream takes behind the gate: each is a write and a wait a partner.
std::size_t handshakes_with(std::size_t partners) {
  const std::size_t operations = 2 * std::max<std::size_t>(1, partners);
  return std::min(most_handshakes, start_gate::most_operations_behind / operations);
}

/// A ceiling needs 256 MB or more; where hosts move the bytes, it only has to run.
std::size_t ceiling_bytes(const device& on) {
  const bool by_host = on.kind() != device_kind::cuda && on.moves_bytes();
  return by_host ? std::size_t{16} << 20 : std::size_t{512} << 20;
}

void finish(stream& on, group& world) {
  require_done(world, [&] { return on.synchronize(world.deadline(), world.watched().get()); }, {});
}

/// Memory of this rank, or none on any rank of the group.
std::shared_ptr<memory> allocate_together(group& among, device& on, std::size_t bytes) {
  std::shared_ptr<memory> made;
  try {
    run_together(among, [&] { made = on.allocate(bytes); });
  } catch (const not_eligible&) {
    return nullptr;
  }
  return made;
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

}  // namespace

link_probe::link_probe(group& world, host_site& host, device& on, start_gate& gate)
    : world_(world), host_(host), device_(on), gate_(gate) {
  group& ranks = host.ranks();
  try {
    paths_ = probe_peers(ranks, on, memory_sharing::descriptor);
  } catch (const not_eligible&) {
    return;  // so there is nothing to measure
  }
  const std::size_t bytes = static_cast<std::size_t>(ranks.size()) * sizeof(std::uint64_t);
  const std::shared_ptr<memory> mine = allocate_together(ranks, on, bytes);
  if (!mine) return;
  on.write(std::vector<std::byte>(bytes), mine->data());
  auto reasons = unreachable(&probed_pair::stream_write);
  words_ = peer_memory::where_possible(ranks, on, mine, reasons);
}

std::vector<reports::pair_ceiling> link_probe::ceilings() {
  group& ranks = host_.ranks();
  const auto world_rank = [&](int of) {
    return host_.global_ranks()[static_cast<std::size_t>(of)];
  };
  std::vector<reports::pair_ceiling> mine;
  // The lower half is sent, the upper half received.
  const std::shared_ptr<memory> buffer =
      paths_.pairs.empty() ? nullptr
                           : allocate_together(ranks, device_, 2 * ceiling_bytes(device_));
  if (buffer) {
    auto reasons = unreachable(&probed_pair::copy);
    const peer_memory buffers = peer_memory::where_possible(ranks, device_, buffer, reasons);
    for (const probed_pair& each : paths_.pairs) {
      if (each.source == ranks.rank() && reasons[static_cast<std::size_t>(each.target)].empty()) {
        mine.push_back({world_rank(each.source), world_rank(each.target),
                        copy_gbps(ranks, device_, buffers, each.target)});
      }
      ranks.barrier();
    }
  }
  return gathered(world_, mine);
}

std::optional<double> link_probe::handshake_us() {
  const bool all_work = words_ && paths_.why_not(&probed_pair::stream_write).empty();
  return handshake_us(
      all_work ? peers_in_order(host_.ranks().rank(), host_.ranks().size(), peer_order::rotated)
               : std::vector<int>());
}

std::vector<pair_handshake> link_probe::pair_handshakes() {
  const std::vector<int>& hosts = world_.hosts();
  std::vector<pair_handshake> all;
  for (int one = 0; one < world_.size(); ++one) {
    for (int other = one + 1; other < world_.size(); ++other) {
      if (hosts[static_cast<std::size_t>(one)] != hosts[static_cast<std::size_t>(other)]) continue;
      std::vector<int> partners;
      if (world_.rank() == one || world_.rank() == other) {
        const int peer = world_.rank() == one ? other : one;
        const auto& ranks = host_.global_ranks();
        const auto at = static_cast<int>(std::ranges::find(ranks, peer) - ranks.begin());
        if (signals(host_.ranks().rank(), at)) partners.push_back(at);
      }
      if (const auto us = handshake_us(partners)) all.push_back({one, other, *us});
    }
  }
  return all;
}

bool link_probe::signals(int one, int other) const {
  const auto between = [&](const probed_pair& each) {
    return std::minmax(each.source, each.target) == std::minmax(one, other);
  };
  return words_ && std::ranges::all_of(paths_.pairs, [&](const probed_pair& each) {
           return !between(each) || each.stream_write.empty();
         });
}

/// Why this rank can't do `what` with others of its host, by rank.
std::vector<std::string> link_probe::unreachable(std::string probed_pair::*what) const {
  std::vector<std::string> reasons(static_cast<std::size_t>(host_.ranks().size()));
  for (const probed_pair& each : paths_.pairs) {
    if (each.source == host_.ranks().rank()) {
      reasons[static_cast<std::size_t>(each.target)] = each.*what;
    }
  }
  return reasons;
}

/// With `partners` of this host; a rank that has none only comes along, to the gate.
std::optional<double> link_probe::handshake_us(const std::vector<int>& partners) {
  const int rank = host_.ranks().rank();
  const auto word = [&](int on_rank, int from) {
    return reinterpret_cast<std::uint64_t*>(words_->at(on_rank)) + from;
  };
  const auto line = device_.create_stream("probe", stream_priority::high);
  const auto begin = device_.create_event(event_timing::on);
  const auto end = device_.create_event(event_timing::on);
  const std::size_t handshakes = handshakes_with(partners.size());
  gate_.hold(*line);
  line->record(*begin);
  for (std::size_t shake = 0; shake < handshakes; ++shake) {
    ++epoch_;
    for (const int peer : partners) line->write_value(word(peer, rank), epoch_, {});
    for (const int peer : partners) line->wait_value(word(rank, peer), epoch_, {});
  }
  line->record(*end);
  gate_.open();
  finish(*line, world_);
  const std::int64_t one_ns = world_.maximum(
      partners.empty() ? 0 : end->elapsed_ns_since(*begin) / static_cast<std::int64_t>(handshakes));
  if (one_ns == 0) return std::nullopt;
  return static_cast<double>(one_ns) / 1000.0;
}

reports::links probe_links(group& world, host_site& host, device& on, start_gate& gate) {
  const step probing(world, [] { return "measuring the links, before epoch 1"; });
  link_probe probe(world, host, on, gate);
  reports::links links;
  links.ceilings = probe.ceilings();
  links.handshake_us = probe.handshake_us();
  world.barrier();  // nobody unmaps what a peer still writes
  return links;
}

}  // namespace ithaca::bench
