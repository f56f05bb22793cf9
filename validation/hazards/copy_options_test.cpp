// What options of the direct exchanger make of its streams and operations.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "backend/direct_exchanger.hpp"
#include "backend/errors.hpp"
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

/// V's arrival is told before Q is on its way, and nothing more of V may follow.
TEST(arrival_per_tensor, follows_the_last_rows_of_each) {
  look_at({.arrivals = arrival_scope::per_tensor}, [](int, const std::vector<operation>& seen) {
    std::vector<std::string> steps;  // of the copy stream
    for (const operation& op : seen) {
      if (op.stream != "copy" || op.kind == operation_kind::wait_value) continue;
      const std::string step = (op.kind == operation_kind::copy ? "copy " : "signal ") + op.tag;
      if (steps.empty() || steps.back() != step) steps.push_back(step);
    }
    EXPECT_THAT(steps, testing::ElementsAre("copy v", "signal v", "copy q", "signal q"));
  });
}

TEST(arrival_per_tensor, refuses_rows_behind_the_last_ones) {
  run_thread_ranks(2, [](thread_group& ranks) {
    host_device on;
    contract_site site{ranks, on, element_type::bf16, [&] {
                         return std::make_unique<direct_exchanger>(
                             ranks, on, direct_options{.arrivals = arrival_scope::per_tensor});
                       }};
    const head_layout layout({1, even_shares(8, 2), 2, 2, 16, element_type::bf16});
    exchange_rig rig(site, {{"v", {layout, head_set::kv, direction::scatter}},
                            {"q", {layout, head_set::query, direction::scatter}}});
    const auto submit = [&](std::size_t tag, submit_order order) {
      rig.transport().submit(rig.load().specs()[tag].tag, rig.load().whole(tag),
                             rig.load().source(tag, 0), rig.compute(), order);
    };
    rig.load().fill(rig.compute(), 1);
    submit(0, submit_order::more);
    EXPECT_THROW(submit(0, submit_order::more), invalid_use);
    submit(1, submit_order::last);
    for (const char* tag : {"v", "q"}) rig.transport().wait(tag, rig.compute());
    for (const char* tag : {"v", "q"}) rig.transport().release(tag, rig.compute());
    rig.finish();
    ranks.barrier();
  });
}

/// Where the own chunk goes, by stream and kind of operation.
std::set<std::string> places_of_own(int rank, const std::vector<operation>& seen) {
  std::set<std::string> places;
  for (const operation& op : seen) {
    const bool moves = op.kind == operation_kind::copy || op.name == "own_chunk_kernel";
    if (moves && op.peer == rank) places.insert(op.name + " on " + op.stream);
  }
  return places;
}

TEST(own_chunk, goes_where_the_option_says) {
  using testing::ElementsAre;
  look_at({}, [](int rank, const auto& seen) {
    EXPECT_THAT(places_of_own(rank, seen), ElementsAre("copy_2d on own chunk"));
  });
  look_at({.own = own_chunk_way::copy_stream}, [](int rank, const auto& seen) {
    EXPECT_THAT(places_of_own(rank, seen), ElementsAre("copy_2d on copy"));
  });
  look_at({.own = own_chunk_way::kernel}, [](int rank, const auto& seen) {
    EXPECT_THAT(places_of_own(rank, seen), ElementsAre("own_chunk_kernel on compute"));
  });
}

TEST(arrival_by_kernel, is_signalled_by_one_and_awaited_by_one) {
  look_at({.signals = signal_kind::kernel}, [](int, const std::vector<operation>& seen) {
    std::multiset<std::string> kernels;
    int written_by_streams = 0;
    for (const operation& op : seen) {
      if (op.name == "signal_kernel" || op.name == "await_kernel") {
        kernels.insert(op.name + " on " + op.stream);
      }
      written_by_streams += op.kind == operation_kind::write_value;
    }
    EXPECT_THAT(kernels, testing::ElementsAre("await_kernel on compute", "signal_kernel on copy"));
    EXPECT_EQ(written_by_streams, ranks_in_group - 1);  // releases
  });
}

TEST(packed_source, is_copied_in_one_row_a_peer) {
  look_at({.source = copy_source::packed}, [](int rank, const std::vector<operation>& seen) {
    std::vector<std::string> packs;
    int copies = 0;
    for (const operation& op : seen) {
      if (op.name == "pack_kernel") packs.push_back(op.tag + " on " + op.stream);
      copies += op.kind == operation_kind::copy && op.peer != rank;
    }
    EXPECT_THAT(packs, testing::ElementsAre("v on compute", "q on compute"));
    EXPECT_EQ(copies, 2 * (ranks_in_group - 1));
  });
}

TEST(packed_source, has_room_for_its_tensor_once) {
  host_device on;
  const head_layout layout({2, even_shares(8, 2), 2, 2, 16, element_type::bf16});
  const tensor_geometry tensor{layout, head_set::query, direction::scatter};
  packed_source packed(on, tensor, 0);
  EXPECT_EQ(packed.size_bytes(), tensor.peer_bytes(0));
  auto copies = plan_exchange(tensor, 0, tensor.whole_source(0), tensor.contiguous_source(0));
  std::erase_if(copies, [](const pitched_copy& each) { return each.peer == 0; });
  const auto line = on.create_stream("line", stream_priority::normal);
  const auto source = on.allocate(tensor.source_bytes(0));
  const source_view view{source->data(), tensor.contiguous_source(0)};
  for (int exchange = 0; exchange < 2; ++exchange) {
    EXPECT_NO_THROW(packed.require_room(copies, true));
    packed.begin();
    const auto moved = packed.pack(copies, view, *line, {});
    ASSERT_EQ(moved.size(), 2u);  // a batch each
    EXPECT_EQ(moved[1].source_offset, moved[0].bytes());
    EXPECT_EQ(moved[0].height, 1u);
    EXPECT_THROW(packed.require_room(copies, false), invalid_use);
  }
  EXPECT_TRUE(line->synchronize(std::chrono::steady_clock::now() + std::chrono::seconds(10)));
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
