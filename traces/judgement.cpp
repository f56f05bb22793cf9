#include "traces/judgement.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "traces/kernel_name.hpp"

namespace ithaca::traces {
namespace {

/// Collects what differs, in sentences.
class comparison {
 public:
  explicit comparison(std::uint64_t exchanges) : exchanges_(exchanges) {}

  void expect(std::string_view what, std::uint64_t per_exchange, std::uint64_t seen) {
    const std::uint64_t expected = per_exchange * exchanges_;
    if (expected == seen) return;
    reasons_.push_back(fmt::format("Expected {}: {} ({} in each of {} exchanges), seen: {}.", what,
                                   expected, per_exchange, exchanges_, seen));
  }
  void add(std::string reason) { reasons_.push_back(std::move(reason)); }
  std::vector<std::string> take() { return std::move(reasons_); }

 private:
  std::uint64_t exchanges_;
  std::vector<std::string> reasons_;
};

void compare_kernels(const claim& said, const observation& seen, comparison& against) {
  std::vector<std::uint64_t> counts(said.kernels.size());
  for (const auto& [name, count] : seen.kernels) {
    std::size_t i = 0;
    while (i < counts.size() && !matches(said.kernels[i].name, name)) ++i;
    if (i < counts.size())
      counts[i] += count;
    else
      against.add(fmt::format("Expected no kernel {}, seen: {}.", name, count));
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    against.expect(fmt::format("kernels {}", said.kernels[i].name), said.kernels[i].count,
                   counts[i]);
  }
}

}  // namespace

judgement judge(const claim& said, std::span<const timeline_record> records, int exchanges) {
  if (exchanges <= 0) throw std::invalid_argument("judge: no exchange, so there is nothing to see");
  const observation seen = observe(records, said.flag_bytes);
  comparison against(static_cast<std::uint64_t>(exchanges));

  compare_kernels(said, seen, against);
  if (!said.copies_in_any_number) {
    against.expect("peer copies", said.peer_copies.count, seen.peer_copies.count);
    against.expect("local copies", said.local_copies.count, seen.local_copies.count);
  }
  against.expect("peer bytes", said.peer_copies.bytes, seen.peer_copies.bytes);
  if (said.peer_copies_on_copy_engine && seen.peer_copies_on_sm != 0) {
    against.add(fmt::format("Expected every peer copy on a copy engine, seen on SMs: {} of {}.",
                            seen.peer_copies_on_sm, seen.peer_copies.count));
  }
  against.expect("locally copied bytes", said.local_copies.bytes, seen.local_copies.bytes);
  against.expect("memsets", said.memsets, seen.memsets);
  against.expect("signal writes", said.signal_writes, seen.signal_writes);
  against.expect("signal waits", said.signal_waits, seen.signal_waits);
  if (seen.without_record != 0) {
    against.add(
        fmt::format("Expected a record of every copy, memset and kernel, seen without one: {}.",
                    seen.without_record));
  }

  judgement verdict;
  verdict.reasons = against.take();
  verdict.holds = verdict.reasons.empty();
  verdict.observed = seen;
  return verdict;
}

}  // namespace ithaca::traces
