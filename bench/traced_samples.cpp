#include "bench/traced_samples.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "backend/host/host_event.hpp"
#include "backend/host_wait.hpp"
#include "bench/clock_offsets.hpp"
#include "bench/overlap_facts.hpp"
#include "bench/trace_adapter.hpp"
#include "traces/judgement.hpp"
#include "traces/overlap.hpp"
#include "traces/overlap_rows.hpp"

namespace ithaca::bench {
namespace {

constexpr int traced = 3;  // odd, so that one is in the middle

/// What one rank recorded, as all ranks come to know it.
struct recorded {
  std::string failure;
  std::string way;
  std::vector<traces::timeline_record> records;
  std::vector<operation_range> samples;
};

nlohmann::json to_json(const recorded& from) {
  nlohmann::json samples = nlohmann::json::array();
  for (const operation_range& each : from.samples) samples.push_back({each.first, each.last});
  return {{"failure", from.failure},
          {"way", from.way},
          {"records", from.records},
          {"samples", std::move(samples)}};
}

recorded from_json(const nlohmann::json& from) {
  recorded made{from["failure"], from["way"], from["records"], {}};
  for (const nlohmann::json& each : from["samples"]) made.samples.push_back({each[0], each[1]});
  return made;
}

recorded record(group& world, ulysses_site& site, prepared_scenario& ready, contender& who,
                exchange_mode mode, const std::string& scope, std::uint64_t& iteration) {
  who.samples().warm_up(++iteration);
  finish(world, who);
  recorded mine;
  mine.way = who.transport().taken().name;
  std::optional<trace_adapter> tracer;
  try {
    tracer.emplace(site.site().on, world.rank(), site.global_ranks(), scope);
  } catch (const std::runtime_error& failure) {
    mine.failure = failure.what();
  }
  for (int sample = 0; sample < traced; ++sample) {
    who.samples().take(mode, ++iteration);
    mine.samples.push_back(who.samples().last_operations());
  }
  finish(world, who);
  if (tracer) {
    try {
      mine.records = tracer->stop();
    } catch (const std::runtime_error& failure) {
      mine.failure = failure.what();
    }
  }
  if (ready.findings().mismatched_bytes > 0) mine.failure = "the traced pass brought wrong bytes";
  ready.reset_findings();
  return mine;
}

void add(reports::operation_counts& total, const traces::observation& seen) {
  for (const auto& [name, count] : seen.kernels) total.kernels[name] += count / traced;
  total.peer_copies += seen.peer_copies.count / traced;
  total.peer_bytes += seen.peer_copies.bytes / traced;
  total.local_copies += seen.local_copies.count / traced;
  total.signal_writes += seen.signal_writes / traced;
  total.signal_waits += seen.signal_waits / traced;
}

/// The ranks of every group, by any of theirs: those that the tensor-parallel index has in common.
std::vector<recorded> group_of(const std::vector<recorded>& all, std::size_t rank, int degree) {
  const std::size_t groups = all.size() / static_cast<std::size_t>(degree);
  std::vector<recorded> ranks;
  for (std::size_t each = rank % groups; each < all.size(); each += groups) {
    ranks.push_back(all[each]);
  }
  return ranks;
}

/// Every rank's overlap in one sample; without those whose device did nothing.
std::vector<traces::stage_overlap> overlaps_of(const std::vector<recorded>& all, int degree,
                                               std::size_t sample) {
  std::vector<traces::stage_overlap> overlaps;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const operation_range& operations = all[rank].samples[sample];
    if (operations.first > operations.last) continue;
    std::vector<traces::timeline_record> records;
    for (const recorded& each : group_of(all, rank, degree)) {
      records.insert(records.end(), each.records.begin(), each.records.end());
    }
    const auto seen =
        traces::overlap_of(records, {static_cast<int>(rank), operations.first, operations.last});
    if (seen) overlaps.push_back(*seen);
  }
  return overlaps;
}

void add_overlap(traced_samples& to, const std::vector<recorded>& all, int degree,
                 const std::string& scope) {
  std::vector<traces::stage_overlap> worst;
  for (std::size_t sample = 0; sample < static_cast<std::size_t>(traced); ++sample) {
    const auto ranks = overlaps_of(all, degree, sample);
    if (ranks.empty()) return;
    worst.push_back(traces::most_exposed(ranks));
    for (const traces::stage_overlap& each : ranks) {
      const auto rows = traces::overlap_rows(each, scope);
      to.records.insert(to.records.end(), rows.begin(), rows.end());
    }
  }
  to.overlap = overlap_facts(traces::median_run(worst));
}

/// What all ranks recorded, on one clock.
std::vector<recorded> shared(group& world, const recorded& mine) {
  std::vector<recorded> all;
  const std::vector<std::int64_t> offsets_ns = clock_offsets_ns(world, monotonic_ns);
  for (const std::string& text : world.all_gather_text(to_json(mine).dump())) {
    recorded& theirs = all.emplace_back(from_json(nlohmann::json::parse(text)));
    for (traces::timeline_record& each : theirs.records) {
      each.start_ns -= offsets_ns[all.size() - 1];
      each.end_ns -= offsets_ns[all.size() - 1];
    }
  }
  return all;
}

}  // namespace

traced_samples trace_samples(group& world, ulysses_site& site, prepared_scenario& ready,
                             contender& who, exchange_mode mode, const std::string& scope,
                             std::uint64_t& iteration) {
  const std::vector<recorded> all =
      shared(world, record(world, site, ready, who, mode, scope, iteration));
  const int degree = site.ranks().size();
  const std::vector<int>& group_ranks = site.global_ranks();
  traced_samples result;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (!all[rank].failure.empty()) {
      result.failure = "its claim was not judged: " + all[rank].failure;
      continue;
    }
    const int group_rank = static_cast<int>(rank) / (world.size() / degree);
    const traces::judgement verdict =
        traces::judge(ready.claim(who, mode, group_rank, all[rank].way), all[rank].records, traced);
    for (const std::string& reason : verdict.reasons) {
      if (result.refutation.empty()) {
        result.refutation = "rank " + std::to_string(rank) + ": " + reason;
      }
    }
    if (std::ranges::find(group_ranks, static_cast<int>(rank)) != group_ranks.end()) {
      add(result.counts, verdict.observed);
    }
    result.records.insert(result.records.end(), all[rank].records.begin(), all[rank].records.end());
  }
  if (result.failure.empty()) add_overlap(result, all, degree, scope);
  if (world.rank() != 0) result.records.clear();
  return result;
}

void finish(const group& world, contender& who) {
  require_done(
      world, [&] { return who.transport().synchronize(world.deadline()); },
      [&] { return who.transport().diagnose(); });
}

}  // namespace ithaca::bench
