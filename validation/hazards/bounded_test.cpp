// What an exchange takes, it gives back: thousands leave a process where the first ones did.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "backend/direct_exchanger.hpp"
#include "backend/host/host_device.hpp"
#include "backend/packed_exchanger.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/hazards/meeting_transport.hpp"

namespace ithaca::validation {
namespace {

constexpr std::uint64_t settled = 100;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // slower, and keeps what was freed for its own reports
constexpr std::uint64_t many = 1'000;
#else
constexpr bool sanitized = false;
constexpr std::uint64_t many = 10'000;
#endif

std::int64_t entries_of(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

std::int64_t lines_of(const char* file) {
  std::ifstream text(file);
  std::int64_t lines = 0;
  for (std::string line; std::getline(text, line);) ++lines;
  return lines;
}

std::int64_t resident_bytes() {
  std::ifstream text("/proc/self/statm");
  std::int64_t size = 0, resident = 0;
  text >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// What this process holds.
struct holdings {
  std::int64_t descriptors = entries_of("/proc/self/fd");
  std::int64_t threads = entries_of("/proc/self/task");
  std::int64_t mappings = lines_of("/proc/self/maps");
  std::int64_t resident = resident_bytes();
};

std::vector<tensor_spec> small_layer() {
  const head_layout layout({1, even_shares(8, 2), 2, 2, 16, element_type::bf16});
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

using maker = std::unique_ptr<exchanger> (*)(group& ranks, device& on,
                                             const std::shared_ptr<thread_meeting>& beside);

void leaves_everything_where_it_was(maker make) {
  const auto beside = std::make_shared<thread_meeting>(2);
  run_thread_ranks(2, [&](thread_group& ranks) {
    host_device on;
    contract_site site{ranks, on, element_type::bf16, [&] { return make(ranks, on, beside); }};
    exchange_rig rig(site, small_layer());
    auto exchanges_until = [&, iteration = std::uint64_t{0}](std::uint64_t last) mutable {
      while (iteration < last) {
        rig.exchange(++iteration);
        if (iteration % settled == 0) rig.finish();
      }
      EXPECT_EQ(rig.mismatched_bytes(), 0);
      ranks.barrier();
      // One rank looks: looking takes descriptors, too.
      const std::optional<holdings> now =
          ranks.rank() == 0 ? std::optional(holdings{}) : std::nullopt;
      ranks.barrier();
      return now;
    };
    const auto before = exchanges_until(settled);
    const auto after = exchanges_until(many);
    if (ranks.rank() != 0) return;
    EXPECT_EQ(after->descriptors, before->descriptors);
    EXPECT_EQ(after->threads, before->threads);
    if (sanitized) return;
    EXPECT_LE(after->mappings, before->mappings + 4);
    EXPECT_LE(after->resident, before->resident + (1 << 20));
  });
}

template <mover moves>
std::unique_ptr<exchanger> direct(group& ranks, device& on,
                                  const std::shared_ptr<thread_meeting>&) {
  return std::make_unique<direct_exchanger>(ranks, on, direct_options{.moves = moves});
}

TEST(bounded, of_thousands_by_copy_engine) {
  leaves_everything_where_it_was(direct<mover::copy_engine>);
}

TEST(bounded, of_thousands_of_push_exchanges) {
  leaves_everything_where_it_was(direct<mover::push_exchange>);
}

TEST(bounded, of_thousands_of_packed_exchanges) {
  leaves_everything_where_it_was(
      [](group& ranks, device& on,
         const std::shared_ptr<thread_meeting>& beside) -> std::unique_ptr<exchanger> {
        return std::make_unique<packed_exchanger>(
            ranks, on, std::make_unique<meeting_transport>(beside, ranks.rank(), false));
      });
}

}  // namespace
}  // namespace ithaca::validation
