// What an exchange takes, it gives back: thousands leave a process where the first ones did.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "backend/direct_exchanger.hpp"
#include "backend/host/host_device.hpp"
#include "backend/observer.hpp"
#include "backend/packed_exchanger.hpp"
#include "backend/threads/thread_group.hpp"
#include "backend/unique_fd.hpp"
#include "validation/endurance/endurance.hpp"
#include "validation/hazards/meeting_transport.hpp"

namespace ithaca::validation {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t many = 1'000;  // slower
#else
constexpr std::uint64_t many = 10'000;
#endif

using maker = std::unique_ptr<exchanger> (*)(group& ranks, device& on,
                                             const std::shared_ptr<thread_meeting>& beside);

void leaves_everything_where_it_was(maker make) {
  const auto beside = std::make_shared<thread_meeting>(2);
  run_thread_ranks(2, [&](thread_group& ranks) {
    host_device on;
    contract_site site{ranks, on, element_type::bf16, [&] { return make(ranks, on, beside); }};
    // One rank looks, since all are one process.
    const endurance of =
        endure(site, many, [&ranks] { return ranks.rank() == 0 ? holdings::now() : holdings{}; });
    EXPECT_EQ(of.mismatched_bytes, 0);
    if (ranks.rank() != 0) return;
    EXPECT_EQ(growth(of.before, of.after), "");
  });
}

/// Keeps a descriptor for every so many operations.
class keeper final : public observer {
 public:
  void enqueuing(const operation& op) override {
    if (op.id % 500 == 0) kept_.emplace_back(dup(STDERR_FILENO));
  }
  void enqueued(const operation&) override {}
  void executed(const operation&, std::int64_t, std::int64_t) override {}

 private:
  std::vector<unique_fd> kept_;
};

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

TEST(bounded, what_is_kept_is_seen) {
  run_thread_ranks(2, [&](thread_group& ranks) {
    keeper keeps;
    host_device on;
    if (ranks.rank() == 0) on.observe(&keeps);
    contract_site site{ranks, on, element_type::bf16,
                       [&] { return direct<mover::copy_engine>(ranks, on, nullptr); }};
    const endurance of =
        endure(site, 500, [&ranks] { return ranks.rank() == 0 ? holdings::now() : holdings{}; });
    on.observe(nullptr);
    if (ranks.rank() == 0) {
      EXPECT_THAT(growth(of.before, of.after), testing::HasSubstr("descriptors more"));
    }
  });
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
