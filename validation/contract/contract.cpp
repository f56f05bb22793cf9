#include "validation/contract/contract.hpp"

#include <array>
#include <set>
#include <stdexcept>

#include "backend/errors.hpp"
#include "backend/host_wait.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/contract/graph_replays.hpp"

namespace ithaca::validation {
namespace {

using namespace std::chrono_literals;

/// Two, as long as Q, K and V are no more pieces than a push exchange takes: 32.
std::int64_t batches(int degree) { return 3 * 2 * degree <= 32 ? 2 : 1; }

/// Small, but with several batches, and rows and heads for every rank.
head_layout even_layout(const contract_site& site) {
  const int degree = site.ranks.size();
  return head_layout(
      {batches(degree), even_shares(48 * degree, degree), 2 * degree, 2 * degree, 64, site.type});
}

/// An odd length and an odd head size.
head_layout uneven_sequence(const contract_site& site) {
  const int degree = site.ranks.size();
  return head_layout(
      {2, even_shares(37 * degree + 1, degree), 2 * degree, 2 * degree, 33, site.type});
}

/// One head more than twice the ranks.
head_layout uneven_heads(const contract_site& site) {
  const int degree = site.ranks.size();
  return head_layout(
      {1, even_shares(36 * degree, degree), 2 * degree + 1, 2 * degree + 1, 40, site.type});
}

/// Every KV head is read by three query heads of its rank.
head_layout grouped_heads(const contract_site& site) {
  const int degree = site.ranks.size();
  return head_layout({1, even_shares(37 * degree, degree), 6 * degree, 2 * degree, 32, site.type});
}

/// KV heads that go to several ranks, and unequal numbers of query heads.
head_layout shared_kv_heads(const contract_site& site) {
  const int degree = site.ranks.size();
  const int kv_heads = degree - 1;
  return head_layout(
      {batches(degree), even_shares(37 * degree, degree), 4 * kv_heads, kv_heads, 32, site.type});
}

std::vector<tensor_spec> qkv(const head_layout& layout) {
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

std::vector<tensor_spec> output(const head_layout& layout) {
  return {{"o", {layout, head_set::query, direction::gather}}};
}

std::string verdict(exchange_rig& rig) {
  const std::int64_t wrong = rig.mismatched_bytes();
  return wrong == 0 ? "" : std::to_string(wrong) + " bytes are wrong";
}

std::string three_exchanges(contract_site& site, std::vector<tensor_spec> specs,
                            bench::projection projected, const exchange_pace& pace) {
  exchange_rig rig(site, std::move(specs), projected);
  for (std::uint64_t iteration = 1; iteration <= 3; ++iteration) rig.exchange(iteration, pace);
  return verdict(rig);
}

template <head_layout (*layout)(const contract_site&)>
std::string scatter(contract_site& site) {
  return three_exchanges(site, qkv(layout(site)), bench::projection::split, {});
}

template <head_layout (*layout)(const contract_site&)>
std::string gather(contract_site& site) {
  return three_exchanges(site, output(layout(site)), bench::projection::split, {});
}

std::string strided_v(contract_site& site) {
  return three_exchanges(site, qkv(even_layout(site)), bench::projection::fused, {});
}

std::string deferred_tags(contract_site& site) {
  return three_exchanges(site, qkv(even_layout(site)), bench::projection::fused,
                         {.between_tags = 200us, .pieces = 4});
}

/// The whole layer, two exchanges on one exchanger: Q, K and V out, O back.
std::string scatter_then_gather(contract_site& site) {
  const head_layout layout = even_layout(site);
  std::vector<tensor_spec> all = qkv(layout);
  all.push_back(output(layout).front());
  exchange_rig rig(site, std::move(all));
  for (std::uint64_t iteration = 1; iteration <= 4; ++iteration) {
    rig.exchange(iteration, {}, {0, 1, 2});
    rig.exchange(iteration, {}, {3});
  }
  return verdict(rig);
}

std::string reused_targets(contract_site& site) {
  exchange_rig rig(site, qkv(even_layout(site)));
  rig.exchange(1);
  const std::uint64_t allocations = site.on.allocation_count();
  const std::uint64_t collectives = site.ranks.collective_count();
  constexpr std::uint64_t exchanges = 8;
  std::set<const std::byte*> places;
  for (std::uint64_t iteration = 2; iteration <= 1 + exchanges; ++iteration) {
    rig.transport().prepare(rig.load().specs());  // a hit: local and free
    rig.exchange(iteration);
    for (const target_view& each : rig.arrived()) places.insert(each.data);
  }
  const std::uint64_t barriers = site.reuse_by_caller ? exchanges : 0;  // the caller's own
  const bool costs = site.on.allocation_count() != allocations ||
                     site.ranks.collective_count() != collectives + barriers;
  const bool moved = places.size() > rig.arrived().size() * exchanges / 2;
  const std::string wrong = verdict(rig);
  if (site.ranks.sum(moved) > 0) return "targets are not used again";
  if (site.ranks.sum(costs) > 0) return "an exchange allocated, or called on the group";
  return wrong;
}

/// A different rank is slow each time, in submitting and in reading, so that every rank is now
/// ahead of a peer and now behind one. Every round's bytes are checked, with fresh data.
std::string stress(contract_site& site) {
  exchange_rig rig(site, qkv(even_layout(site)), bench::projection::fused);
  const int size = site.ranks.size();
  for (int round = 0; round < 64; ++round) {
    const bool slow_writer = round % size == site.ranks.rank();
    const bool slow_reader = (round / 2) % size == site.ranks.rank();
    rig.exchange(
        static_cast<std::uint64_t>(round + 1),
        {.before_submit = slow_writer ? 300us : 0us, .before_check = slow_reader ? 300us : 0us});
  }
  return verdict(rig);
}

/// What is submitted on one stream, or on two, is awaited and read on another, with fresh data each
/// time: nothing but the exchanger orders a write behind the slow reader of what it replaces.
std::string streams_apart(contract_site& site) {
  exchange_rig rig(site, qkv(even_layout(site)), bench::projection::fused);
  const int size = site.ranks.size();
  constexpr std::size_t a = 0, b = 1, c = 2;
  for (int round = 0; round < 12; ++round) {
    const bool slow_writer = round % size == site.ranks.rank();
    const bool slow_reader = (round / 2) % size == site.ranks.rank();
    exchange_lanes lanes = {.fill = a, .read = b};
    if (round % 3 == 1) lanes.submit = {c, a, c};  // q on the one, k and v on the other
    if (round % 3 == 2) lanes.submit = {a, c, a};  // and the last submit too
    rig.exchange(
        static_cast<std::uint64_t>(round + 1),
        {.before_submit = slow_writer ? 300us : 0us, .before_check = slow_reader ? 300us : 0us}, {},
        lanes);
  }
  return verdict(rig);
}

/// 24'576 bytes a peer and tensor, of any type: one alone is below the crossover that the contract
/// is run with, two together are above it.
head_layout of_known_bytes(const contract_site& site) {
  const int degree = site.ranks.size();
  const std::int64_t head_dim = 128 / static_cast<std::int64_t>(size_bytes(site.type));
  return head_layout(
      {2, even_shares(48 * degree, degree), 2 * degree, 2 * degree, head_dim, site.type});
}

/// Exchanges on two streams in turn. Tags prepared apart are of either size: an exchanger with two
/// ways takes the one, the other, and both at once, each of them on either stream.
std::string alternating_streams(contract_site& site) {
  exchange_rig rig(site, qkv(of_known_bytes(site)));
  const std::span<const tensor_spec> all(rig.load().specs());
  rig.transport().prepare(all.first(1));
  rig.transport().prepare(all.subspan(1));
  if (rig.transport().why_not_captured().empty()) {
    throw not_eligible("its tags are always exchanged in the same company");
  }
  const std::vector<std::size_t> tags[] = {{0}, {1, 2}, {0, 1, 2}};
  for (std::size_t round = 0; round < 24; ++round) {
    const std::size_t lane = round % 2;
    const bool slow_reader =
        round % 5 == static_cast<std::size_t>(site.ranks.rank()) || round % 7 == 6;
    rig.exchange(round + 1, {.before_check = slow_reader ? 400us : 0us}, tags[round % 3],
                 {.fill = lane, .read = lane});
  }
  return verdict(rig);
}

template <class Call>
bool is_refused(Call call) {
  try {
    call();
  } catch (const std::logic_error&) {
    return true;
  }
  return false;
}

std::string calls_out_of_order(contract_site& site) {
  exchange_rig rig(site, qkv(even_layout(site)));
  exchanger& transport = rig.transport();
  stream& on = rig.compute();
  const auto submit = [&](std::size_t index, submit_order order) {
    transport.submit(rig.load().specs()[index].tag, rig.load().whole(index),
                     rig.load().source(index, 0), on, order);
  };
  std::string wrong;
  const auto expect = [&](bool refused, const char* call) {
    if (!refused && wrong.empty()) wrong = std::string(call) + " was not refused";
  };
  expect(is_refused([&] { transport.wait("v", on); }), "wait before submit");
  expect(is_refused([&] { transport.wait("x", on); }), "an unknown tag");
  rig.load().fill(on, 1);
  for (std::size_t index = 0; index < 3; ++index) {
    transport.stage(rig.load().specs()[index].tag, rig.load().whole(index),
                    rig.load().source(index, 0), on,
                    index == 2 ? submit_order::last : submit_order::more);
  }
  submit(0, submit_order::more);
  expect(is_refused([&] { transport.wait("v", on); }), "wait before the last submit");
  submit(1, submit_order::more);
  submit(2, submit_order::last);
  expect(is_refused([&] { submit(0, submit_order::more); }), "submit before wait and release");
  expect(is_refused([&] { transport.release("v", on); }), "release before wait");
  for (std::size_t index = 0; index < 3; ++index) {
    const target_view arrived = transport.wait(rig.load().specs()[index].tag, on);
    transport.unstage(rig.load().specs()[index].tag, on);
    rig.load().check(on, index, arrived, 0, 1);
  }
  transport.release("v", on);
  expect(is_refused([&] { submit(0, submit_order::more); }), "submit with tags unreleased");
  expect(is_refused([&] { transport.release("v", on); }), "a second release");
  transport.release("q", on);
  transport.release("k", on);
  bool unreachable = false;
  try {
    transport.submit("v", rig.load().whole(0), {nullptr, rig.load().source(0, 0).strides}, on,
                     submit_order::more);
  } catch (const invalid_use&) {
    unreachable = true;
  }
  expect(unreachable, "a source outside the device");
  slice beyond = rig.load().whole(0);
  beyond.rows.count += 1;
  expect(is_refused([&] {
           transport.submit("v", beyond, rig.load().source(0, 0), on, submit_order::more);
         }),
         "a slice beyond the source");
  rig.exchange(2);  // none of the refused calls has left a trace
  const std::string bytes = verdict(rig);
  if (site.ranks.sum(!wrong.empty()) > 0) return wrong.empty() ? "another rank failed" : wrong;
  return bytes;
}

std::string disagreement(contract_site& site) {
  const auto transport = site.make();
  const int degree = site.ranks.size();
  const std::int64_t mine = site.ranks.rank() == 1 ? 4 : 2;
  const head_layout layout(
      {1, even_shares(16 * degree, degree), mine * degree, mine * degree, 16, site.type});
  bool refused = false;
  try {
    transport->prepare(qkv(layout));
  } catch (const invalid_use&) {
    refused = true;
  }
  return site.ranks.agree(refused) ? "" : "ranks with different tensors were not all refused";
}

/// Everything between filling the sources and the next exchange.
void exchange_once(exchanger& transport, bench::workload& load, stream& on,
                   std::uint64_t iteration) {
  const auto& specs = load.specs();
  const auto order = [&](std::size_t index) {
    return index + 1 == specs.size() ? submit_order::last : submit_order::more;
  };
  for (std::size_t index = 0; index < specs.size(); ++index) {
    transport.stage(specs[index].tag, load.whole(index), load.source(index, 0), on, order(index));
  }
  for (std::size_t index = 0; index < specs.size(); ++index) {
    transport.submit(specs[index].tag, load.whole(index), load.source(index, 0), on, order(index));
  }
  for (std::size_t index = 0; index < specs.size(); ++index) {
    const target_view arrived = transport.wait(specs[index].tag, on);
    transport.unstage(specs[index].tag, on);
    load.check(on, index, arrived, 0, iteration);
    transport.release(specs[index].tag, on);
  }
}

/// More keys than the cache holds: every target is dropped and made again in between, while the
/// peers' writes into it are only just done.
std::string evicted_targets(contract_site& site) {
  const int degree = site.ranks.size();
  const auto transport = site.make();
  const auto compute = site.on.create_stream("compute", stream_priority::normal);
  std::int64_t wrong = 0;
  for (std::uint64_t iteration = 1; iteration <= 12; ++iteration) {
    const std::int64_t tokens = (16 + static_cast<std::int64_t>(iteration % 6)) * degree;
    const head_layout layout(
        {1, even_shares(tokens, degree), 2 * degree, 2 * degree, 16, site.type});
    bench::workload load(site.on, qkv(layout), site.ranks.rank(), site.global_ranks(),
                         bench::projection::split, 0);
    transport->prepare(load.specs());
    load.fill(*compute, iteration);
    exchange_once(*transport, load, *compute, iteration);
    require_done(
        site.ranks,
        [&] { return compute->synchronize(site.ranks.deadline(), site.ranks.watched().get()); },
        [&] { return transport->diagnose(); });
    wrong += static_cast<std::int64_t>(load.findings().mismatched_bytes);
  }
  wrong = site.ranks.sum(wrong);
  return wrong == 0 ? "" : std::to_string(wrong) + " bytes are wrong";
}

/// Tags prepared apart, then together, and exchanged together.
std::string prepared_apart(contract_site& site) {
  const head_layout layout = even_layout(site);
  exchange_rig rig(site, qkv(layout));
  const auto other = site.make();
  const std::span<const tensor_spec> all(rig.load().specs());
  other->prepare(all.first(1));
  other->prepare(all.subspan(1));
  for (int time = 0; time < 2; ++time) {
    rig.keep_apart();
    rig.load().fill(rig.compute(), 7);
    exchange_once(*other, rig.load(), rig.compute(), 7);
    other->prepare(rig.load().specs());
  }
  return verdict(rig);
}

/// The producer writes the own chunk into the target itself, where `acquire` lets it.
std::string produced_own_chunk(contract_site& site) {
  std::vector<tensor_spec> specs = qkv(even_layout(site));
  for (tensor_spec& spec : specs) spec.own = own_chunk::produced;
  exchange_rig rig(site, std::move(specs));
  const int rank = site.ranks.rank();
  for (std::uint64_t iteration = 1; iteration <= 3; ++iteration) {
    rig.keep_apart();
    rig.load().fill(rig.compute(), iteration);
    for (std::size_t index = 0; index < 3; ++index) {
      const tensor_spec& spec = rig.load().specs()[index];
      const source_view source = rig.load().source(index, 0);
      const target_view target = rig.transport().acquire(spec.tag, rig.compute());
      for (const pitched_copy& each :
           plan_exchange(spec.geometry, rank, rig.load().whole(index), source.strides)) {
        if (each.peer != rank) continue;
        rig.compute().copy(
            {source.data + each.source_offset, each.source_pitch, target.data + each.target_offset,
             each.target_pitch, each.width, each.height, false},
            {});
      }
      rig.transport().submit(spec.tag, rig.load().whole(index), source, rig.compute(),
                             index == 2 ? submit_order::last : submit_order::more);
    }
    for (std::size_t index = 0; index < 3; ++index) {
      const std::string& tag = rig.load().specs()[index].tag;
      const target_view arrived = rig.transport().wait(tag, rig.compute());
      rig.load().check(rig.compute(), index, arrived, 0, iteration);
      rig.load().poison(rig.compute(), arrived);
      rig.transport().release(tag, rig.compute());
    }
  }
  return verdict(rig);
}

std::string captured_and_replayed(contract_site& site) {
  constexpr std::uint64_t replays = 1'000;
  if (const std::string reason = site.make()->why_not_captured(); !reason.empty()) {
    throw not_eligible(reason);
  }
  return graph_replays(site, replays);
}

using enum type_coverage;

constexpr std::array checks = {
    contract_check{"scatter, even shares", scatter<even_layout>, every_type},
    contract_check{"scatter, uneven sequence", scatter<uneven_sequence>, every_type},
    contract_check{"scatter, uneven heads", scatter<uneven_heads>, every_type},
    contract_check{"scatter, grouped heads", scatter<grouped_heads>, every_type},
    contract_check{"scatter, fewer KV heads than ranks", scatter<shared_kv_heads>, every_type},
    contract_check{"gather, even shares", gather<even_layout>, every_type},
    contract_check{"gather, uneven sequence", gather<uneven_sequence>, every_type},
    contract_check{"gather, uneven heads", gather<uneven_heads>, every_type},
    contract_check{"gather, grouped heads", gather<grouped_heads>, every_type},
    contract_check{"gather, fewer KV heads than ranks", gather<shared_kv_heads>, every_type},
    contract_check{"strided V of a fused QKV", strided_v, one_type},
    contract_check{"tagged, deferred Q, K and V, V in pieces", deferred_tags, one_type},
    contract_check{"scatter and gather in turn", scatter_then_gather, one_type},
    contract_check{"targets reused, nothing allocated", reused_targets, one_type},
    contract_check{"tags prepared apart, exchanged together", prepared_apart, one_type},
    contract_check{"own chunk written by its producer", produced_own_chunk, one_type},
    contract_check{"18 keys in a cache of 12", evicted_targets, one_type},
    contract_check{"64 exchanges, a rotating slow rank", stress, one_type},
    contract_check{"submitted and waited on different streams", streams_apart, one_type},
    contract_check{"exchanges alternate between two streams", alternating_streams, one_type},
    contract_check{"captured into a graph, replayed 1000 times", captured_and_replayed, one_type},
    contract_check{"calls out of order refused", calls_out_of_order, one_type},
    contract_check{"disagreeing ranks refused", disagreement, one_type},
};

}  // namespace

std::span<const contract_check> contract_checks() { return checks; }

}  // namespace ithaca::validation
