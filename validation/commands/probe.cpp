#include "validation/commands/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "backend/errors.hpp"
#include "backend/peer_probe.hpp"
#include "bench/gpu_sensor.hpp"
#include "bench/host_site.hpp"
#include "bench/link_probe.hpp"
#include "bench/option_values.hpp"
#include "bench/start_gate.hpp"
#include "reports/console/exit_codes.hpp"
#include "reports/run_record.hpp"
#include "reports/whole_file.hpp"
#include "validation/path_health.hpp"

namespace ithaca::validation {
namespace {

/// From this rank to the others of its host; none where memory can't be shared in this way.
std::vector<probed_pair> from_here(const probed_peers& found, int rank) {
  std::vector<probed_pair> mine;
  std::ranges::copy_if(found.pairs, std::back_inserter(mine),
                       [&](const probed_pair& each) { return each.source == rank; });
  return mine;
}

std::vector<probed_pair> probed_by_handle(bench::host_site& host, device& on) {
  try {
    return from_here(probe_peers(host.ranks(), on, memory_sharing::handle), host.ranks().rank());
  } catch (const not_eligible&) {
    return {};
  }
}

std::optional<probed_pair> to(const std::vector<probed_pair>& pairs, int target) {
  const auto found = std::ranges::find(pairs, target, &probed_pair::target);
  return found == pairs.end() ? std::nullopt : std::optional(*found);
}

/// What joins this rank's device to that of `identity`.
std::string link_to(const bench::gpu_sensor& sensor, const device& on,
                    const std::string& identity) {
  if (on.kind() != device_kind::cuda) return "host";
  return sensor.gpu ? sensor.gpu->path_to(identity).value_or("?") : "?";
}

/// This rank's findings; no times yet.
std::vector<path_health> paths_from_here(bench::host_site& host, device& on,
                                         const probed_peers& by_descriptor) {
  const int rank = host.ranks().rank();
  const std::vector<probed_pair> descriptor = from_here(by_descriptor, rank);
  const std::vector<probed_pair> handle = probed_by_handle(host, on);
  const std::vector<std::string> identities = host.ranks().all_gather_text(on.identity());
  const bench::gpu_sensor sensor = bench::open_gpu_sensor(on);
  std::vector<path_health> mine;
  for (int peer = 0; peer < host.ranks().size(); ++peer) {
    if (peer == rank) continue;
    const auto at = static_cast<std::size_t>(peer);
    mine.push_back({host.global_ranks()[static_cast<std::size_t>(rank)], host.global_ranks()[at],
                    link_to(sensor, on, identities[at]), to(descriptor, peer), to(handle, peer)});
  }
  return mine;
}

void add_times(std::vector<path_health>& paths, bench::link_probe& probe) {
  const auto ceilings = probe.ceilings();
  const auto handshakes = probe.pair_handshakes();
  for (path_health& each : paths) {
    for (const reports::pair_ceiling& of : ceilings) {
      if (of.source == each.source && of.target == each.target) each.ceiling_gbps = of.ceiling_gbps;
    }
    for (const bench::pair_handshake& of : handshakes) {
      if (std::minmax(of.source, of.target) == std::minmax(each.source, each.target)) {
        each.handshake_us = of.us;
      }
    }
  }
}

nlohmann::json as_json(const std::vector<path_health>& paths, device_kind kind,
                       const std::vector<std::string>& devices, const std::vector<int>& hosts) {
  nlohmann::json pairs = nlohmann::json::array();
  for (const path_health& each : paths) pairs.push_back(to_json(each));
  const auto note = reports::note_on_times(to_string(kind));
  nlohmann::json ranks = nlohmann::json::array();
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    nlohmann::json of = {{"rank", rank}, {"host", hosts[rank]}};
    // A host's identity has its name, which has no place in a published file.
    if (kind == device_kind::cuda) of["gpu"] = devices[rank];
    ranks.push_back(std::move(of));
  }
  return {{"device", to_string(kind)},
          {"note", note ? nlohmann::json(*note) : nlohmann::json(nullptr)},
          {"ranks", ranks},
          {"healthy", healthy(paths)},
          {"paths", pairs}};
}

}  // namespace

void probe_command::declare(CLI::App& app) {
  ranks_.declare(app, nullptr);
  app.add_option("--json", json_text_, "File to write what was found into");
}

void probe_command::judge() {
  ranks_.judge();
  if (json_text_) json_ = bench::not_empty("--json", *json_text_);
}

int probe_command::run_split(group& world, const bench::group_splitter& split) {
  const bench::chosen_device chosen = ranks_.open(world);
  device& on = *chosen.opened;
  if (world.rank() == 0) {
    fmt::print("ithaca-validate probe: {} ranks on the {} device ({})\n", world.size(),
               to_string(on.kind()), on.description());
  }
  bench::host_site host(world, split);
  bench::start_gate gate(world, host.ranks(), on);
  bench::link_probe probe(world, host, on, gate);
  std::vector<path_health> paths;
  for (const std::string& text :
       world.all_gather_text(findings_to_text(paths_from_here(host, on, probe.paths())))) {
    const std::vector<path_health> theirs = findings_from_text(text);
    paths.insert(paths.end(), theirs.begin(), theirs.end());
  }
  if (paths.empty()) throw invalid_use("no two ranks are on one host: there is no path to try");
  add_times(paths, probe);
  const std::vector<std::string> identities = world.all_gather_text(on.identity());
  std::string unwritable;
  if (world.rank() == 0) {
    if (const auto note = reports::note_on_times(to_string(on.kind()))) fmt::print("{}\n", *note);
    fmt::print("{}", to_table(paths));
    try {
      const auto all = as_json(paths, on.kind(), identities, world.hosts());
      if (json_) reports::write_whole_file(*json_, all.dump(2) + "\n");
    } catch (const std::runtime_error& failure) {
      unwritable = failure.what();
    }
  }
  unwritable = world.all_gather_text(unwritable).front();
  if (!unwritable.empty()) throw invalid_use(unwritable);
  return healthy(paths) ? console::good : console::check_failed;
}

}  // namespace ithaca::validation
