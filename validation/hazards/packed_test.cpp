// What a packed exchanger hands to its transport, and when: padding as it is reported, and for a
// bare one nothing but the all-to-all between submit and wait.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "backend/host/host_device.hpp"
#include "backend/observer.hpp"
#include "backend/packed_exchanger.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/hazards/meeting_transport.hpp"

namespace ithaca::validation {
namespace {

/// Adds up what leaves the rank, by the sizes that each all-to-all is given.
class counting_transport final : public packed_transport {
 public:
  counting_transport(std::unique_ptr<packed_transport> real, int rank, std::size_t& sent)
      : real_(std::move(real)), rank_(rank), sent_(sent) {}

  bool equal_chunks_only() const override { return real_->equal_chunks_only(); }
  std::string why_not(std::span<const std::size_t> send_bytes,
                      std::span<const std::size_t> receive_bytes) const override {
    return real_->why_not(send_bytes, receive_bytes);
  }
  kernel_call all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes,
                         std::byte* receive, std::span<const std::size_t> receive_bytes) override {
    for (std::size_t peer = 0; peer < send_bytes.size(); ++peer) {
      if (peer != static_cast<std::size_t>(rank_)) sent_ += send_bytes[peer];
    }
    return real_->all_to_all(send, send_bytes, receive, receive_bytes);
  }

 private:
  std::unique_ptr<packed_transport> real_;
  int rank_;
  std::size_t& sent_;
};

std::vector<tensor_spec> qkv(const head_layout& layout) {
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

/// On three ranks rank 0 gets most query heads and rank 1 most KV heads, so that tensors which
/// travel alone are padded by more than together.
std::vector<tensor_spec> shared_kv_heads(int degree) {
  return qkv(head_layout({1, even_shares(5 * degree + 1, degree), 25, 5, 8, element_type::fp8}));
}

struct padding_case {
  bool equal_chunks;
  packing packed;
  int ranks;
};

class padding : public testing::TestWithParam<padding_case> {};

TEST_P(padding, is_what_is_sent_beyond_the_tensors) {
  const auto [equal_chunks, packed, size] = GetParam();
  const auto meeting = std::make_shared<thread_meeting>(size);
  std::atomic<std::size_t> padded = 0;
  run_thread_ranks(size, [&, equal = equal_chunks, how = packed](thread_group& ranks) {
    host_device on;
    std::size_t sent = 0;
    contract_site site{
        ranks, on, element_type::fp8, [&] {
          auto real = std::make_unique<meeting_transport>(meeting, ranks.rank(), equal);
          return std::make_unique<packed_exchanger>(
              ranks, on, std::make_unique<counting_transport>(std::move(real), ranks.rank(), sent),
              how);
        }};
    exchange_rig rig(site, shared_kv_heads(ranks.size()));
    rig.exchange(1);
    EXPECT_EQ(rig.mismatched_bytes(), 0);
    std::size_t needed = 0;
    for (const tensor_spec& spec : rig.load().specs()) {
      needed += spec.geometry.peer_bytes(ranks.rank());
    }
    EXPECT_EQ(rig.transport().padding_bytes(), sent - needed);
    padded += sent - needed;
  });
  EXPECT_EQ(padded > 0, equal_chunks);
}

INSTANTIATE_TEST_SUITE_P(all, padding,
                         testing::Values(padding_case{true, packing::whole_exchange, 2},
                                         padding_case{true, packing::whole_exchange, 3},
                                         padding_case{true, packing::each_submit, 3},
                                         padding_case{true, packing::each_submit, 4},
                                         padding_case{true, packing::by_caller, 3},
                                         padding_case{false, packing::whole_exchange, 3}));

/// The kernels that belong to an exchange, and those outside any, in the order of their enqueueing.
class kernel_names final : public observer {
 public:
  void enqueuing(const operation& op) override {
    if (op.kind != operation_kind::kernel) return;
    (op.exchange > 0 ? inside : outside).push_back(op.name);
  }
  void enqueued(const operation&) override {}
  void executed(const operation&, std::int64_t, std::int64_t) override {}

  std::vector<std::string> inside, outside;
};

/// One rank of a bare exchange after another: `program` gets its rig and the kernels seen so far.
void on_bare_ranks(const std::function<void(exchange_rig& rig, kernel_names& seen)>& program) {
  const auto meeting = std::make_shared<thread_meeting>(2);
  run_thread_ranks(2, [&](thread_group& ranks) {
    host_device on;
    contract_site site{ranks, on, element_type::bf16, [&] {
                         return std::make_unique<packed_exchanger>(
                             ranks, on,
                             std::make_unique<meeting_transport>(meeting, ranks.rank(), true),
                             packing::by_caller);
                       }};
    exchange_rig rig(site, shared_kv_heads(2));
    kernel_names seen;
    on.observe(&seen);
    program(rig, seen);
    rig.finish();
    on.observe(nullptr);
  });
}

TEST(bare, enqueues_nothing_but_the_all_to_all_in_an_exchange) {
  on_bare_ranks([](exchange_rig& rig, kernel_names& seen) {
    rig.exchange(1);
    EXPECT_EQ(seen.inside, std::vector<std::string>{"meeting_all_to_all"});
    EXPECT_EQ(std::ranges::count(seen.outside, "pack_kernel"), 1);
    EXPECT_EQ(std::ranges::count(seen.outside, "relayout_kernel"), 3);
  });
}

void stage(exchange_rig& rig, std::size_t index, submit_order order) {
  rig.transport().stage(rig.load().specs()[index].tag, rig.load().whole(index),
                        rig.load().source(index, 0), rig.compute(), order);
}

void submit(exchange_rig& rig, std::size_t index, submit_order order) {
  rig.transport().submit(rig.load().specs()[index].tag, rig.load().whole(index),
                         rig.load().source(index, 0), rig.compute(), order);
}

TEST(bare, submits_only_what_was_staged) {
  on_bare_ranks([](exchange_rig& rig, kernel_names& seen) {
    EXPECT_THROW(submit(rig, 0, submit_order::last), std::logic_error);
    stage(rig, 0, submit_order::more);
    EXPECT_THROW(submit(rig, 0, submit_order::more), std::logic_error) << "the last was not staged";
    stage(rig, 1, submit_order::last);
    EXPECT_THROW(stage(rig, 2, submit_order::last), std::logic_error) << "another exchange's";
    EXPECT_THROW(submit(rig, 1, submit_order::more), std::logic_error) << "in another order";
    EXPECT_THROW(submit(rig, 0, submit_order::last), std::logic_error) << "fewer";
    EXPECT_TRUE(seen.inside.empty());
    submit(rig, 0, submit_order::more);
    submit(rig, 1, submit_order::last);
    EXPECT_THROW(rig.transport().unstage("v", rig.compute()), std::logic_error) << "before wait";
    for (const char* tag : {"v", "q"}) {
      rig.transport().wait(tag, rig.compute());
      rig.transport().unstage(tag, rig.compute());
    }
    stage(rig, 2, submit_order::last);
    EXPECT_THROW(submit(rig, 2, submit_order::last), std::logic_error) << "tags unreleased";
    rig.transport().release("v", rig.compute());
    rig.transport().release("q", rig.compute());
    submit(rig, 2, submit_order::last);
    rig.transport().wait("k", rig.compute());
    rig.transport().unstage("k", rig.compute());
    rig.transport().release("k", rig.compute());
  });
}

TEST(bare, control_without_unstage_the_targets_are_wrong) {
  on_bare_ranks([](exchange_rig& rig, kernel_names&) {
    rig.load().fill(rig.compute(), 1);
    for (std::size_t index = 0; index < 3; ++index) {
      stage(rig, index, index == 2 ? submit_order::last : submit_order::more);
    }
    for (std::size_t index = 0; index < 3; ++index) {
      submit(rig, index, index == 2 ? submit_order::last : submit_order::more);
    }
    for (std::size_t index = 0; index < 3; ++index) {
      const std::string& tag = rig.load().specs()[index].tag;
      rig.load().check(rig.compute(), index, rig.transport().wait(tag, rig.compute()), 0, 1);
      rig.transport().release(tag, rig.compute());
    }
    EXPECT_GT(rig.mismatched_bytes(), 0);
  });
}

}  // namespace
}  // namespace ithaca::validation
