#include "backend/communicator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "backend/direct_exchanger.hpp"
#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "backend/packed_exchanger.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/hazards/faulty_device.hpp"
#include "validation/hazards/meeting_transport.hpp"
#include "validation/hazards/q_and_k.hpp"

namespace ithaca::validation {
namespace {

using testing::HasSubstr;

/// The choices of a communicator in the order in which it falls back: by descriptor, by handle,
/// and a transport that maps nothing.
std::vector<transport_choice> choices(group& ranks, device& on,
                                      const std::shared_ptr<thread_meeting>& beside) {
  const auto direct = [&ranks, &on](memory_sharing how) {
    return [&ranks, &on, how]() -> std::unique_ptr<exchanger> {
      return std::make_unique<direct_exchanger>(ranks, on, direct_options{.sharing = how});
    };
  };
  return {{"descriptor", direct(memory_sharing::descriptor)},
          {"handle", direct(memory_sharing::handle)},
          {"packed", [&ranks, &on, beside] {
             return std::make_unique<packed_exchanger>(
                 ranks, on, std::make_unique<meeting_transport>(beside, ranks.rank(), false));
           }}};
}

/// Runs `program` on three ranks, of which rank 1 has the defects.
void on_three_ranks(defects of_rank_1,
                    const std::function<void(contract_site&, communicator&)>& program) {
  const auto beside = std::make_shared<thread_meeting>(3);
  run_thread_ranks(3, [&](thread_group& ranks) {
    host_device host;
    faulty_device on(host, ranks.rank() == 1 ? of_rank_1 : defects{});
    communicator chooser(ranks, choices(ranks, on, beside));
    contract_site site{ranks, on, element_type::bf16, nullptr};
    program(site, chooser);
  });
}

TEST(communicator, takes_the_first_choice_where_it_can) {
  on_three_ranks({}, [](contract_site& site, communicator& chooser) {
    chooser.prepare(q_and_k(site.ranks.size()));
    EXPECT_EQ(chooser.taken().name, "descriptor");
    EXPECT_EQ(chooser.taken().why, "the first choice");
  });
}

TEST(communicator, falls_back_on_all_ranks_for_the_reason_of_one) {
  on_three_ranks({.no_descriptors = true}, [](contract_site& site, communicator& chooser) {
    chooser.prepare(q_and_k(site.ranks.size()));
    EXPECT_EQ(chooser.taken().name, "handle");
    EXPECT_THAT(chooser.taken().why,
                HasSubstr("descriptor: rank 1: the device has no descriptors"));
  });
}

TEST(communicator, says_every_reason_when_nothing_can_serve) {
  on_three_ranks({.no_memory = true}, [](contract_site& site, communicator& chooser) {
    try {
      chooser.prepare(q_and_k(site.ranks.size()));
      ADD_FAILURE() << "was not refused";
    } catch (const not_eligible& refusal) {
      for (const char* name : {"descriptor: ", "handle: ", "packed: "}) {
        EXPECT_THAT(refusal.what(), HasSubstr(name));
      }
    }
    EXPECT_TRUE(chooser.synchronize(site.ranks.deadline()));
  });
}

TEST(communicator, offloads_without_the_others_and_chooses_anew) {
  on_three_ranks({}, [](contract_site& site, communicator& chooser) {
    chooser.prepare(q_and_k(site.ranks.size()));
    EXPECT_GT(chooser.memory_bytes(), 0u);
    // One rank after the other, in no particular order, nobody waiting for anybody.
    std::this_thread::sleep_for(std::chrono::milliseconds(10 * (2 - site.ranks.rank())));
    const std::uint64_t collectives = site.ranks.collective_count();
    chooser.offload();
    EXPECT_EQ(site.ranks.collective_count(), collectives);
    EXPECT_EQ(chooser.memory_bytes(), 0u);
    chooser.prepare(q_and_k(site.ranks.size(), 2));
    EXPECT_EQ(chooser.taken().name, "descriptor");
  });
}

TEST(communicator, refuses_what_needs_a_transport_before_there_is_one) {
  on_three_ranks({}, [](contract_site& site, communicator& chooser) {
    const auto compute = site.on.create_stream("compute", stream_priority::normal);
    EXPECT_THROW(chooser.wait("q", *compute), std::logic_error);
    EXPECT_THAT(chooser.diagnose(), HasSubstr("no exchange"));
    EXPECT_EQ(chooser.taken().name, "");
  });
  run_thread_ranks(
      1, [](thread_group& ranks) { EXPECT_THROW(communicator(ranks, {}), std::invalid_argument); });
}

/// A push kernel takes 512 pieces at most, a copy engine any number.
std::unique_ptr<exchanger> push_or_copy(group& ranks, device& on) {
  std::vector<transport_choice> both;
  for (const mover moves : {mover::push_kernel, mover::copy_engine}) {
    both.push_back({moves == mover::push_kernel ? "push" : "copy", [&ranks, &on, moves] {
                      return std::make_unique<direct_exchanger>(ranks, on,
                                                                direct_options{.moves = moves});
                    }});
  }
  return std::make_unique<communicator>(ranks, std::move(both));
}

tensor_spec of_many_pieces(int degree) {
  const head_layout layout({600, even_shares(2 * degree, degree), degree, degree, 16});
  return {"o", {layout, head_set::query, direction::gather}};
}

TEST(communicator, moves_its_tags_to_another_transport_between_exchanges) {
  run_thread_ranks(2, [](thread_group& ranks) {
    host_device host;
    faulty_device on(host, {});
    contract_site site{ranks, on, element_type::bf16, [&] { return push_or_copy(ranks, on); }};
    exchange_rig rig(site, q_and_k(2));
    rig.exchange(1);
    EXPECT_EQ(rig.transport().taken().name, "push");
    const tensor_spec many = of_many_pieces(2);
    rig.transport().prepare(std::span(&many, 1));
    EXPECT_EQ(rig.transport().taken().name, "copy");
    EXPECT_THAT(rig.transport().taken().why, HasSubstr("push: tag o takes 1200 pitched pieces"));
    rig.exchange(2);
    EXPECT_EQ(rig.mismatched_bytes(), 0);
  });
}

TEST(communicator, keeps_its_transport_while_a_tag_is_in_an_exchange) {
  run_thread_ranks(2, [](thread_group& ranks) {
    host_device host;
    faulty_device on(host, {});
    contract_site site{ranks, on, element_type::bf16, [&] { return push_or_copy(ranks, on); }};
    exchange_rig rig(site, q_and_k(2));
    exchanger& chooser = rig.transport();
    rig.load().fill(rig.compute(), 1);
    chooser.submit("q", rig.load().whole(0), rig.load().source(0, 0), rig.compute(),
                   submit_order::more);
    const tensor_spec many = of_many_pieces(2);
    EXPECT_THROW(chooser.prepare(std::span(&many, 1)), not_eligible);
    EXPECT_THROW(dynamic_cast<communicator&>(chooser).offload(), std::logic_error);
    EXPECT_EQ(chooser.taken().name, "push");
    chooser.submit("k", rig.load().whole(1), rig.load().source(1, 0), rig.compute(),
                   submit_order::last);
    for (std::size_t index = 0; index < 2; ++index) {
      const std::string& tag = rig.load().specs()[index].tag;
      rig.load().check(rig.compute(), index, chooser.wait(tag, rig.compute()), 0, 1);
      chooser.release(tag, rig.compute());
    }
    EXPECT_EQ(rig.mismatched_bytes(), 0);
  });
}

/// Which use of a tag keeps its transport.
enum class use { acquire, stage };

class communicator_in_use : public testing::TestWithParam<use> {};

TEST_P(communicator_in_use, keeps_its_transport) {
  run_thread_ranks(2, [](thread_group& ranks) {
    host_device host;
    faulty_device on(host, {});
    contract_site site{ranks, on, element_type::bf16, [&] { return push_or_copy(ranks, on); }};
    exchange_rig rig(site, q_and_k(2));
    exchanger& chooser = rig.transport();
    if (GetParam() == use::acquire) {
      chooser.acquire("q", rig.compute());
    } else {
      chooser.stage("q", rig.load().whole(0), rig.load().source(0, 0), rig.compute(),
                    submit_order::more);
    }
    const tensor_spec many = of_many_pieces(2);
    EXPECT_THROW(chooser.prepare(std::span(&many, 1)), not_eligible);
    EXPECT_THROW(dynamic_cast<communicator&>(chooser).offload(), std::logic_error);
    EXPECT_EQ(chooser.taken().name, "push");
    rig.exchange(1);
    EXPECT_EQ(rig.mismatched_bytes(), 0);
    chooser.prepare(std::span(&many, 1));
    EXPECT_EQ(chooser.taken().name, "copy");
  });
}

INSTANTIATE_TEST_SUITE_P(all, communicator_in_use, testing::Values(use::acquire, use::stage));

TEST(communicator, keeps_its_transport_while_a_tag_is_in_an_exchange_on_another_rank) {
  run_thread_ranks(2, [](thread_group& ranks) {
    host_device host;
    faulty_device on(host, {});
    contract_site site{ranks, on, element_type::bf16, [&] { return push_or_copy(ranks, on); }};
    exchange_rig rig(site, q_and_k(2));
    exchanger& chooser = rig.transport();
    if (ranks.rank() == 1) chooser.acquire("q", rig.compute());
    const tensor_spec many = of_many_pieces(2);
    try {
      chooser.prepare(std::span(&many, 1));
      ADD_FAILURE() << "was not refused";
    } catch (const not_eligible& refusal) {
      EXPECT_THAT(refusal.what(),
                  HasSubstr(ranks.rank() == 1 ? "release tag q first" : "another rank"));
    }
    EXPECT_EQ(chooser.taken().name, "push");
    rig.exchange(1);
    EXPECT_EQ(rig.mismatched_bytes(), 0);
  });
}

TEST(communicator, leaves_all_as_it_was_when_the_last_choice_refuses_too) {
  run_thread_ranks(2, [](thread_group& ranks) {
    host_device host;
    faulty_device on(host, {});
    int opened = 0;
    const auto make = [&]() -> std::unique_ptr<exchanger> {
      std::vector<transport_choice> choices;
      choices.push_back(
          {"first", []() -> std::unique_ptr<exchanger> { throw not_eligible("never"); }});
      choices.push_back({"push", [&]() -> std::unique_ptr<exchanger> {
                           ++opened;
                           return std::make_unique<direct_exchanger>(
                               ranks, on, direct_options{.moves = mover::push_kernel});
                         }});
      choices.push_back(
          {"last", []() -> std::unique_ptr<exchanger> { throw not_eligible("nor this"); }});
      return std::make_unique<communicator>(ranks, std::move(choices));
    };
    contract_site site{ranks, on, element_type::bf16, make};
    exchange_rig rig(site, q_and_k(2));
    rig.exchange(1);
    const exchange_way before = rig.transport().taken();
    const tensor_spec many = of_many_pieces(2);
    for (int again = 0; again < 2; ++again) {
      try {
        rig.transport().prepare(std::span(&many, 1));
        ADD_FAILURE() << "was not refused";
      } catch (const not_eligible& refusal) {
        EXPECT_THAT(refusal.what(), HasSubstr("first: never; push: "));
        EXPECT_THAT(refusal.what(), HasSubstr("; last: nor this"));
      }
      EXPECT_EQ(rig.transport().taken().name, before.name);
      EXPECT_EQ(rig.transport().taken().why, before.why);
    }
    rig.exchange(2);
    EXPECT_EQ(rig.mismatched_bytes(), 0);
    EXPECT_EQ(opened, 1);
  });
}

TEST(communicator, prepares_no_tensors_by_doing_nothing) {
  on_three_ranks({}, [](contract_site& site, communicator& chooser) {
    const std::uint64_t collectives = site.ranks.collective_count();
    chooser.prepare({});
    EXPECT_EQ(site.ranks.collective_count(), collectives);
    EXPECT_EQ(chooser.taken().name, "");
  });
}

/// Takes every call in any order.
class tolerant final : public exchanger {
 public:
  void prepare(std::span<const tensor_spec>) override {}
  target_view acquire(std::string_view, stream&) override { return {}; }
  void submit(std::string_view, const slice&, const source_view&, stream&, submit_order) override {}
  target_view wait(std::string_view, stream&) override { return {}; }
  void release(std::string_view, stream&) override {}
  bool synchronize(std::chrono::steady_clock::time_point) override { return true; }
  std::size_t memory_bytes() const override { return 0; }
  std::string standing() const override { return ""; }
  std::string diagnose() override { return ""; }
};

TEST(communicator, takes_the_release_of_a_tag_that_it_never_saw) {
  run_thread_ranks(1, [](thread_group& ranks) {
    host_device on;
    const auto compute = on.create_stream("compute", stream_priority::normal);
    communicator chooser(ranks, {{"tolerant", [] { return std::make_unique<tolerant>(); }}});
    chooser.prepare(q_and_k(1));
    chooser.acquire("q", *compute);
    chooser.release("unknown", *compute);
    EXPECT_THROW(chooser.offload(), std::logic_error) << "q is in use";
    chooser.release("q", *compute);
    chooser.release("q", *compute);
    EXPECT_NO_THROW(chooser.offload());
  });
}

}  // namespace
}  // namespace ithaca::validation
