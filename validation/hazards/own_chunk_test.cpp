// The own chunk goes beside what goes to the peers, not before or behind it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "backend/direct_exchanger.hpp"
#include "backend/host/host_device.hpp"
#include "backend/observer.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/contract/exchange_rig.hpp"

namespace ithaca::validation {
namespace {

/// Streams by whose bytes their copies are.
class copy_streams final : public observer {
 public:
  explicit copy_streams(int rank) : rank_(rank) {}
  void enqueuing(const operation& op) override {
    if (op.kind != operation_kind::copy) return;
    (op.peer == rank_ ? own : others).insert(op.stream);
  }
  void enqueued(const operation&) override {}
  void executed(const operation&, std::int64_t, std::int64_t) override {}

  std::set<std::string> own, others;

 private:
  int rank_;
};

/// Tells `judge` on each of three ranks what an exchange of `options` was seen to use.
void exchange_once(direct_options options, const std::function<void(const copy_streams&)>& judge) {
  run_thread_ranks(3, [&](thread_group& ranks) {
    host_device on;
    copy_streams seen(ranks.rank());
    contract_site site{ranks, on, element_type::bf16,
                       [&] { return std::make_unique<direct_exchanger>(ranks, on, options); }};
    const head_layout layout({1, even_shares(12, 3), 3, 3, 16, element_type::bf16});
    exchange_rig rig(site, {{"v", {layout, head_set::kv, direction::scatter}},
                            {"q", {layout, head_set::query, direction::scatter}}});
    on.observe(&seen);
    rig.exchange(1);
    on.observe(nullptr);
    EXPECT_EQ(rig.mismatched_bytes(), 0);
    judge(seen);
  });
}

TEST(own_chunk, is_not_on_the_stream_of_the_peers_copies) {
  exchange_once({}, [](const copy_streams& seen) {
    EXPECT_THAT(seen.own, testing::ElementsAre("own chunk"));
    EXPECT_THAT(seen.others, testing::SizeIs(1));
    EXPECT_THAT(seen.others, testing::Not(testing::Contains("own chunk")));
  });
}

TEST(own_chunk, control_queues_with_the_peers_copies) {
  exchange_once({.own = own_chunk_way::copy_stream},
                [](const copy_streams& seen) { EXPECT_EQ(seen.own, seen.others); });
}

}  // namespace
}  // namespace ithaca::validation
