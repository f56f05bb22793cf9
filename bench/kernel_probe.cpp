#include "bench/kernel_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "backend/errors.hpp"
#include "bench/kernel_probe_calls.hpp"
#include "kernels/bf16.hpp"
#include "reports/statistics.hpp"

namespace ithaca::bench {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr int launches_a_time = 4;
constexpr int timed_calls = 9;
constexpr std::chrono::seconds longest(60);

/// Something that moves bytes, and how long it took.
struct byte_mover {
  std::string name;
  std::uint64_t bytes = 0;
  std::function<void(stream&)> enqueue;
  std::vector<double> times_ns = {};
};

/// Each byte that is written was read once.
byte_mover mover_of(std::string name, kernel_call call) {
  std::uint64_t written = 0;
  for (const pitched_bytes& range : call.writes) written += range.width * range.height;
  return {std::move(name), 2 * written, [call](stream& on) { on.launch(call, {}); }};
}

std::size_t copied_bytes(const device& on) {
  const std::size_t wanted = on.kind() == device_kind::cuda ? 256 * mib : 4 * mib;
  // In both areas, and as much is left to others.
  return std::min(wanted, on.free_bytes() / 4 / 16 * 16);
}

void finish(stream& on, const std::string& what) {
  if (!on.synchronize(std::chrono::steady_clock::now() + longest)) {
    throw exchange_broken(what + " did not end while kernels were measured");
  }
}

/// Values of the size that activations have: those that grow or vanish would not stay random.
void fill(device& on, stream& by, const memory& area) {
  std::vector<std::uint16_t> values(std::min(mib, area.size_bytes() / 2));
  std::minstd_rand random(1);
  for (std::uint16_t& each : values) {
    each = kernels::to_bf16(static_cast<float>(random() % 4096) / 1024 - 2);
  }
  const std::span bytes = std::as_bytes(std::span(values));
  on.write(bytes, area.data());
  for (std::size_t filled = bytes.size(); filled < area.size_bytes(); filled *= 2) {
    const std::size_t now = std::min(filled, area.size_bytes() - filled);
    by.copy({area.data(), now, area.data() + filled, now, now, 1}, {});
  }
  finish(by, "filling the sources");
}

double elapsed_ns(device& on, stream& by, const byte_mover& what) {
  const std::unique_ptr<event> begin = on.create_event(event_timing::on);
  const std::unique_ptr<event> end = on.create_event(event_timing::on);
  by.record(*begin);
  for (int launch = 0; launch < launches_a_time; ++launch) what.enqueue(by);
  by.record(*end);
  finish(by, what.name);
  return static_cast<double>(end->elapsed_ns_since(*begin)) / launches_a_time;
}

std::vector<reports::kernel_rate> rates_of(const std::vector<byte_mover>& movers) {
  std::vector<reports::kernel_rate> rates;
  for (const byte_mover& each : movers) {
    const double gbps = static_cast<double>(each.bytes) / reports::median(each.times_ns);
    rates.push_back({each.name, each.bytes, gbps, gbps});
  }
  const double copy_gbps = rates.front().gbps;
  for (reports::kernel_rate& each : rates) each.copy_share /= copy_gbps;
  return rates;
}

}  // namespace

std::vector<reports::kernel_rate> probe_kernels(device& on, const kernel_probe_shape& of) {
  const kernel_probe_calls calls(of);
  const std::size_t copied = copied_bytes(on);
  const auto sources = on.allocate(std::max(calls.source_bytes(), copied));
  const auto targets = on.allocate(std::max(calls.target_bytes(), copied));
  const auto tables = on.allocate(calls.table_values() * sizeof(float));
  const auto by = on.create_stream("probe", stream_priority::normal);
  const std::vector<float> table_values = calls.tables();
  on.write(std::as_bytes(std::span(table_values)), tables->data());
  fill(on, *by, *sources);

  std::byte* const from = sources->data();
  std::byte* const to = targets->data();
  const auto* const values = reinterpret_cast<const float*>(tables->data());
  std::vector<byte_mover> movers;
  const auto copy_of = [=](std::string name, std::size_t bytes) {
    return byte_mover{std::move(name), 2 * bytes, [=](stream& with) {
                        with.copy({from, bytes, to, bytes, bytes, 1}, {});
                      }};
  };
  movers.push_back(copy_of("copy", copied));
  movers.push_back(mover_of("norm_rope_kernel", calls.norm_rope(from, values, nullptr)));
  movers.push_back(
      mover_of("norm_rope_kernel, own chunks in their targets", calls.norm_rope(from, values, to)));
  movers.push_back(mover_of("own_chunk_kernel", calls.own_chunk(from, to)));
  // So few that what a launch takes counts: that much of it is not the kernel's.
  movers.push_back(copy_of("copy of as many bytes as an own chunk", movers.back().bytes / 2));
  movers.push_back(mover_of("pack_kernel", calls.pack(from, to)));
  movers.push_back(mover_of("relayout_kernel", calls.relayout(from, to)));
  for (int time = 0; time <= timed_calls; ++time) {
    for (byte_mover& each : movers) {
      const double now = elapsed_ns(on, *by, each);
      if (time > 0) each.times_ns.push_back(now);  // the first is to warm up
    }
  }
  return rates_of(movers);
}

}  // namespace ithaca::bench
