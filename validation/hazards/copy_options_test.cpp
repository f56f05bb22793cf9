// What options of the direct exchanger make of its streams and operations.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "backend/direct_exchanger.hpp"
#include "backend/host/host_device.hpp"
#include "backend/observer.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/wrapped_device.hpp"

namespace ithaca::validation {
namespace {

constexpr int ranks_in_group = 4;

/// The operations of an exchange.
class operations final : public observer {
 public:
  void enqueuing(const operation& op) override { seen.push_back(op); }
  void enqueued(const operation&) override {}
  void executed(const operation&, std::int64_t, std::int64_t) override {}
  std::vector<operation> seen;
};

/// Runs an exchange of V and Q, and shows each rank what it was made of.
void look_at(direct_options options,
             const std::function<void(int rank, const std::vector<operation>&)>& look) {
  run_thread_ranks(ranks_in_group, [&](thread_group& ranks) {
    host_device on;
    operations all;
    contract_site site{ranks, on, element_type::bf16,
                       [&] { return std::make_unique<direct_exchanger>(ranks, on, options); }};
    const int degree = ranks.size();
    const head_layout layout(
        {1, even_shares(4 * degree, degree), degree, degree, 16, element_type::bf16});
    exchange_rig rig(site, {{"v", {layout, head_set::kv, direction::scatter}},
                            {"q", {layout, head_set::query, direction::scatter}}});
    rig.exchange(1);
    rig.finish();
    on.observe(&all);
    rig.exchange(2);
    on.observe(nullptr);
    EXPECT_EQ(rig.mismatched_bytes(), 0);
    look(ranks.rank(), all.seen);
  });
}

TEST(copy_lanes, share_the_peers_in_sending_order) {
  look_at({.lanes = 2}, [](int rank, const std::vector<operation>& seen) {
    std::map<std::string, std::set<int>> peers;
    for (const operation& op : seen) {
      if (op.kind == operation_kind::copy && op.peer != rank) peers[op.stream].insert(op.peer);
    }
    const auto after = [rank](int distance) { return (rank + distance) % ranks_in_group; };
    EXPECT_EQ(peers, (std::map<std::string, std::set<int>>{{"copy", {after(1), after(3)}},
                                                           {"copy 1", {after(2)}}}));
  });
}

/// Notes the priorities of streams.
class priorities final : public wrapped_device {
 public:
  using wrapped_device::wrapped_device;
  std::unique_ptr<stream> create_stream(std::string name, stream_priority priority) override {
    of.insert_or_assign(name, priority);
    return wrapped_device::create_stream(name, priority);
  }
  std::map<std::string, stream_priority> of;
};

TEST(copy_priority, is_that_of_every_lane) {
  for (const stream_priority wanted : {stream_priority::normal, stream_priority::high}) {
    run_thread_ranks(3, [&](thread_group& ranks) {
      host_device host;
      priorities on(host);
      const direct_exchanger made(ranks, on, {.lanes = 2, .copy_priority = wanted});
      EXPECT_EQ(on.of.at("copy"), wanted);
      EXPECT_EQ(on.of.at("copy 1"), wanted);
      EXPECT_EQ(on.of.at("own chunk"), stream_priority::high);
    });
  }
}

}  // namespace
}  // namespace ithaca::validation
