#include "backend/sim/fabric.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace ithaca::sim {
namespace {

// The ports of a GPU, one behind the other.
std::size_t out_of(int gpu) { return 3 * static_cast<std::size_t>(gpu); }
std::size_t into(int gpu) { return out_of(gpu) + 1; }
std::size_t memory_of(int gpu) { return out_of(gpu) + 2; }

/// What a rounding error may leave of a flow that has come to its end.
constexpr double rounding_ns = 1e-6;

}  // namespace

fabric::fabric(fabric_figures figures, int gpus) : figures_(std::move(figures)), gpus_(gpus) {}

fabric::transfer_id fabric::copy(int from, fabric_part part, std::int64_t latency_ns) {
  flows_.push_back({.transfer = ++last_transfer_,
                    .from = from,
                    .to = part.to,
                    .begins_ns = now_ns_ + latency_ns,
                    .bytes_left = static_cast<double>(part.bytes)});
  if (latency_ns == 0) begin_due();
  return last_transfer_;
}

fabric::transfer_id fabric::push(int from, const std::vector<fabric_part>& parts, int ctas,
                                 std::int64_t latency_ns) {
  ++last_transfer_;
  for (const fabric_part& part : parts) {
    flows_.push_back({.transfer = last_transfer_,
                      .from = from,
                      .to = part.to,
                      .kernel_gbps = figures_.push_gbps(ctas),
                      .begins_ns = now_ns_ + latency_ns,
                      .bytes_left = static_cast<double>(part.bytes)});
  }
  if (latency_ns == 0) begin_due();
  return last_transfer_;
}

std::optional<std::int64_t> fabric::next_ns() const {
  std::optional<std::int64_t> next;
  for (const flow& each : flows_) {
    const std::int64_t at = each.moving ? each.ends_ns : each.begins_ns;
    if (!next || at < *next) next = at;
  }
  return next;
}

std::vector<fabric::transfer_id> fabric::advance(std::int64_t to_ns) {
  if (to_ns < now_ns_ || (next_ns() && to_ns > *next_ns())) {
    throw std::logic_error("a fabric's time goes forward, from one event to the next");
  }
  const auto elapsed = static_cast<double>(to_ns - now_ns_);
  now_ns_ = to_ns;
  std::vector<transfer_id> touched;
  for (flow& each : flows_) {
    if (!each.moving) continue;
    each.bytes_left = std::max(0.0, each.bytes_left - each.rate * elapsed);
    if (each.ends_ns <= now_ns_) touched.push_back(each.transfer);
  }
  const auto gone = std::erase_if(
      flows_, [&](const flow& each) { return each.moving && each.ends_ns <= now_ns_; });
  if (gone > 0) share_anew();
  begin_due();
  // A push ends with the last of its parts.
  std::vector<transfer_id> ended;
  for (const transfer_id id : touched) {
    const bool more = std::ranges::find(flows_, id, &flow::transfer) != flows_.end();
    if (!more && (ended.empty() || ended.back() != id)) ended.push_back(id);
  }
  return ended;
}

void fabric::begin_due() {
  bool any = false;
  for (flow& each : flows_) {
    if (each.moving || each.begins_ns > now_ns_) continue;
    each.moving = any = true;
  }
  if (any) share_anew();
}

std::vector<double> fabric::capacities() const {
  std::vector<double> all(3 * static_cast<std::size_t>(gpus_));
  for (int gpu = 0; gpu < gpus_; ++gpu) {
    std::set<int> served;
    for (const flow& each : flows_) {
      if (each.moving && each.by_copy_engine() && each.from == gpu && each.to != gpu) {
        served.insert(each.to);
      }
    }
    all[out_of(gpu)] = served.size() > 1 ? figures_.lanes_gbps : figures_.port_gbps;
    all[into(gpu)] = figures_.port_gbps;
    all[memory_of(gpu)] = figures_.local_copy_gbps;
  }
  return all;
}

std::vector<flow_path> fabric::paths(std::vector<double>& capacities) const {
  std::vector<flow_path> all;
  transfer_id pushed = 0;
  for (const flow& each : flows_) {
    if (!each.moving) continue;
    all.push_back(each.to == each.from ? flow_path{memory_of(each.from)}
                                       : flow_path{out_of(each.from), into(each.to)});
    if (each.by_copy_engine()) continue;
    // The parts of a push stand side by side in `flows_`.
    if (pushed != each.transfer) capacities.push_back(each.kernel_gbps);
    pushed = each.transfer;
    if (each.to != each.from) all.back().push_back(capacities.size() - 1);
  }
  return all;
}

void fabric::share_anew() {
  std::vector<double> ports = capacities();
  const std::vector<flow_path> passed = paths(ports);
  const std::vector<double> rates = fair_shares(ports, passed);
  auto rate = rates.begin();
  for (flow& each : flows_) {
    if (!each.moving) continue;
    each.rate = *rate++;
    const double takes_ns = each.bytes_left / each.rate;
    each.ends_ns = now_ns_ + static_cast<std::int64_t>(std::ceil(takes_ns - rounding_ns));
  }
}

}  // namespace ithaca::sim
