// What a packed exchanger hands to its transport, and when: padding as it is reported, and for a
// bare one nothing but the all-to-all between submit and wait.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "backend/observer.hpp"
#include "backend/packed_exchanger.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/hazards/faulty_device.hpp"
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

TEST(packed_exchanger, prepares_known_tags_in_any_order_for_free) {
  const auto meeting = std::make_shared<thread_meeting>(3);
  run_thread_ranks(3, [&](thread_group& ranks) {
    host_device on;
    packed_exchanger exchange(ranks, on,
                              std::make_unique<meeting_transport>(meeting, ranks.rank(), false));
    std::vector<tensor_spec> specs = shared_kv_heads(ranks.size());
    exchange.prepare(specs);
    const std::uint64_t collectives = ranks.collective_count();
    std::ranges::reverse(specs);
    exchange.prepare(specs);
    EXPECT_EQ(ranks.collective_count(), collectives);
  });
}

/// What a transport is told of buffers on one rank, and when it refuses them.
struct bindings {
  int alive = 0;
  int made = 0;
  int refused_from = 100;  ///< the first that is refused, from 0
};

/// Binds buffers, and refuses to on demand.
class binding_transport final : public packed_transport {
 public:
  binding_transport(std::unique_ptr<packed_transport> real, bindings& told)
      : real_(std::move(real)), told_(told) {}

  std::string why_not(std::span<const std::size_t> send_bytes,
                      std::span<const std::size_t> receive_bytes) const override {
    return real_->why_not(send_bytes, receive_bytes);
  }
  std::unique_ptr<buffer_binding> bind(const memory&, const memory&) override {
    if (told_.made == told_.refused_from) throw not_eligible("no more windows");
    return std::make_unique<counted>(told_);
  }
  kernel_call all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes,
                         std::byte* receive, std::span<const std::size_t> receive_bytes) override {
    return real_->all_to_all(send, send_bytes, receive, receive_bytes);
  }

 private:
  struct counted final : buffer_binding {
    explicit counted(bindings& of) : told(of) {
      ++told.alive;
      ++told.made;
    }
    ~counted() override { --told.alive; }
    bindings& told;
  };
  std::unique_ptr<packed_transport> real_;
  bindings& told_;
};

/// A rig over a packed exchanger with the defects and the bindings of each rank.
void on_packed_ranks(
    int size, const std::function<defects(int rank)>& of,
    const std::function<void(contract_site& site, exchange_rig& rig, bindings& told)>& program,
    const std::function<std::vector<tensor_spec>(int degree)>& tensors = shared_kv_heads) {
  const auto meeting = std::make_shared<thread_meeting>(size);
  run_thread_ranks(size, [&](thread_group& ranks) {
    host_device host;
    faulty_device on(host, of(ranks.rank()));
    bindings told;
    contract_site site{ranks, on, element_type::fp8, [&] {
                         auto real =
                             std::make_unique<meeting_transport>(meeting, ranks.rank(), false);
                         return std::make_unique<packed_exchanger>(
                             ranks, on, std::make_unique<binding_transport>(std::move(real), told));
                       }};
    exchange_rig rig(site, tensors(ranks.size()));
    program(site, rig, told);
    rig.finish();
    EXPECT_EQ(told.alive, 1);
  });
}

std::vector<tensor_spec> of_tokens(const char* tag, std::vector<std::int64_t> shares) {
  const auto degree = static_cast<int>(shares.size());
  const head_layout layout({1, std::move(shares), degree, degree, 8, element_type::fp8});
  return {{tag, {layout, head_set::query, direction::scatter}}};
}

constexpr std::size_t enough = std::size_t{1} << 16;

/// The targets of `large_q` fit where only `enough` can be had, the buffers for it do not.
std::vector<tensor_spec> large_q() { return of_tokens("q", {3000, 1, 1}); }
/// Here it is a target that does not fit.
std::vector<tensor_spec> huge_q() { return of_tokens("q", {3000, 3000, 3000}); }

TEST(packed, prepare_that_one_rank_has_no_memory_for_leaves_all_as_it_was) {
  const auto one_is_small = [](int rank) {
    return rank == 0 ? defects{.largest_allocation_bytes = enough} : defects{};
  };
  on_packed_ranks(3, one_is_small, [](contract_site&, exchange_rig& rig, bindings& told) {
    rig.exchange(1);
    const std::size_t before = rig.transport().memory_bytes();
    for (const auto& refused : {large_q(), huge_q()}) {
      for (int again = 0; again < 2; ++again) {
        EXPECT_THROW(rig.transport().prepare(refused), not_eligible) << again;
        EXPECT_EQ(rig.transport().memory_bytes(), before);
        EXPECT_EQ(told.alive, 1);
      }
    }
    // A tag that was refused is as unknown as before.
    const auto unknown = of_tokens("x", {9000, 9000, 9000});
    EXPECT_THROW(rig.transport().prepare(unknown), not_eligible);
    EXPECT_THROW(rig.transport().acquire("x", rig.compute()), std::logic_error);

    rig.transport().prepare(rig.load().specs());
    for (const std::uint64_t iteration : {2u, 3u}) rig.exchange(iteration);
    EXPECT_EQ(rig.mismatched_bytes(), 0);
  });
}

TEST(packed, prepare_whose_buffers_one_rank_can_not_bind_leaves_all_as_it_was) {
  const auto none = [](int) { return defects{}; };
  on_packed_ranks(3, none, [](contract_site& site, exchange_rig& rig, bindings& told) {
    rig.exchange(1);
    if (site.ranks.rank() == 1) told.refused_from = 1;
    EXPECT_THROW(rig.transport().prepare(large_q()), not_eligible);
    EXPECT_EQ(told.alive, 1);
    rig.transport().prepare(rig.load().specs());
    rig.exchange(2);
    EXPECT_EQ(rig.mismatched_bytes(), 0);
    told.refused_from = 100;
    rig.transport().prepare(large_q());
  });
}

TEST(packed, buffers_never_shrink_below_what_was_prepared_before) {
  const auto none = [](int) { return defects{}; };
  const auto much_of_rank_0 = [](int) { return of_tokens("q", {3000, 1}); };
  on_packed_ranks(
      2, none,
      [](contract_site&, exchange_rig& rig, bindings&) {
        rig.exchange(1);
        rig.transport().prepare(of_tokens("q", {1, 3000}));
        rig.transport().prepare(rig.load().specs());
        // Both buffers for 3000 tokens of all heads, and both targets.
        const std::size_t targets = std::size_t{2} * 3001 * 8;
        EXPECT_GE(rig.transport().memory_bytes(), targets + 2 * std::size_t{3000} * 8);
        rig.exchange(2);
        EXPECT_EQ(rig.mismatched_bytes(), 0);
      },
      much_of_rank_0);
}

TEST(packed, prepare_of_no_tensors_does_nothing) {
  const auto meeting = std::make_shared<thread_meeting>(2);
  run_thread_ranks(2, [&](thread_group& ranks) {
    host_device on;
    packed_exchanger transport(ranks, on,
                               std::make_unique<meeting_transport>(meeting, ranks.rank(), true));
    const std::uint64_t collectives = ranks.collective_count();
    transport.prepare({});
    EXPECT_EQ(ranks.collective_count(), collectives);
    EXPECT_EQ(transport.memory_bytes(), 0u);
  });
}

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

/// More slices than one launch of a kernel takes regions.
constexpr std::int64_t many_slices = 600;

class many_pieces : public testing::TestWithParam<packing> {};

TEST_P(many_pieces, are_packed_and_laid_out_in_as_many_launches_as_they_take) {
  const auto meeting = std::make_shared<thread_meeting>(2);
  run_thread_ranks(2, [&](thread_group& ranks) {
    host_device on;
    contract_site site{ranks, on, element_type::fp8, [&] {
                         return std::make_unique<packed_exchanger>(
                             ranks, on,
                             std::make_unique<meeting_transport>(meeting, ranks.rank(), true),
                             GetParam());
                       }};
    exchange_rig rig(site, of_tokens("q", {many_slices, many_slices}));
    kernel_names seen;
    on.observe(&seen);
    rig.exchange(1, {.pieces = many_slices});
    EXPECT_EQ(rig.mismatched_bytes(), 0);
    on.observe(nullptr);
    auto names = seen.inside;
    names.insert(names.end(), seen.outside.begin(), seen.outside.end());
    EXPECT_EQ(std::ranges::count(names, "pack_kernel"), 3);  // 1200 regions, 512 a launch
    EXPECT_EQ(std::ranges::count(names, "relayout_kernel"), 3);
  });
}

INSTANTIATE_TEST_SUITE_P(all, many_pieces,
                         testing::Values(packing::whole_exchange, packing::by_caller));

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
