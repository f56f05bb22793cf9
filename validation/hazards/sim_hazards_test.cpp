// Hazards on simulated ranks: each mechanism once in place, over many schedules without a finding,
// and once taken out, with the story that names the operations. Bytes are not moved: what is judged
// is order alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "backend/direct_exchanger.hpp"
#include "backend/sim/simulate.hpp"
#include "validation/hazards/one_event_device.hpp"
#include "validation/hazards/sim_stories.hpp"

namespace ithaca::validation {
namespace {

using sim::finding_kind;
using testing::AllOf;
using testing::HasSubstr;

class sim_of_each_mover : public testing::TestWithParam<mover> {};

std::string mover_name(const testing::TestParamInfo<mover>& info) {
  if (info.param == mover::push_kernel) return "push_kernel";
  return info.param == mover::push_exchange ? "push_exchange" : "copy_engine";
}

/// What moves a tensor to a peer, as its story names it.
std::string moving(mover by) {
  if (by == mover::push_kernel) return "push_kernel of ";
  return by == mover::push_exchange ? "push_exchange_kernel of " : "copy_2d of ";
}

INSTANTIATE_TEST_SUITE_P(of, sim_of_each_mover,
                         testing::Values(mover::copy_engine, mover::push_kernel,
                                         mover::push_exchange),
                         mover_name);

// ---- order of bytes -----------------------------------------------------------------------------

TEST_P(sim_of_each_mover, keeps_all_its_bytes_in_order) {
  expect_no_finding(exchanges({.moves = GetParam()}, fault::none, three_exchanges));
  expect_no_finding(exchanges({.reuse = target_reuse::n_buffers, .moves = GetParam()}, fault::none,
                              three_exchanges));
}

TEST_P(sim_of_each_mover, control_overruns_a_reader_without_the_reuse_handshake) {
  const auto told = stories(finding_kind::conflict,
                            exchanges({.reuse = target_reuse::external, .moves = GetParam()},
                                      fault::none, three_exchanges));
  EXPECT_THAT(told, testing::Contains(AllOf(HasSubstr(moving(GetParam())), HasSubstr("_kernel"),
                                            HasSubstr("\"compute\""), HasSubstr("exchange 2"),
                                            HasSubstr("missing order: nothing makes the"))));
}

TEST_P(sim_of_each_mover, control_overruns_a_reader_without_waiting_for_its_release) {
  const auto told =
      stories(finding_kind::conflict,
              exchanges({.moves = GetParam()}, fault::no_release_wait, three_exchanges));
  EXPECT_THAT(told, testing::Contains(AllOf(HasSubstr(moving(GetParam())), HasSubstr("compute"))));
}

TEST_P(sim_of_each_mover, control_reads_what_was_announced_before_it_was_there) {
  const auto told =
      stories(finding_kind::conflict,
              exchanges({.moves = GetParam()}, fault::signal_before_copy, three_exchanges));
  EXPECT_THAT(told,
              testing::Contains(AllOf(HasSubstr(moving(GetParam())), HasSubstr("check_kernel of"),
                                      HasSubstr("writes them"), HasSubstr("reads them"))));
}

TEST_P(sim_of_each_mover, control_reads_without_waiting_for_arrival) {
  const auto told =
      stories(finding_kind::conflict,
              exchanges({.moves = GetParam()}, fault::no_arrival_wait, three_exchanges));
  EXPECT_THAT(told,
              testing::Contains(AllOf(HasSubstr(moving(GetParam())), HasSubstr("check_kernel"))));
}

TEST(sim_hazards, control_sends_a_source_that_is_not_ready) {
  const auto told =
      stories(finding_kind::conflict, exchanges({}, fault::no_source_wait, three_exchanges));
  EXPECT_THAT(told, testing::Contains(AllOf(HasSubstr("fill_kernel"), HasSubstr("copy_2d"))));
}

TEST(sim_hazards, control_overwrites_a_source_that_is_being_sent) {
  const auto told =
      stories(finding_kind::conflict, exchanges({}, fault::no_sent_wait, three_exchanges));
  EXPECT_THAT(told, testing::Contains(AllOf(HasSubstr("fill_kernel"), HasSubstr("copy_2d"))));
}

TEST(sim_hazards, control_an_event_recorded_again_ahead_of_its_waiter) {
  const rank_program program = [](group& ranks, device& on) {
    one_event_device shares(on);
    contract_site site{ranks, shares, element_type::bf16,
                       [&] { return std::make_unique<direct_exchanger>(ranks, shares); }};
    exchange_rig rig(site, small_qkv(ranks.size()));
    three_exchanges(ranks.rank(), rig);
    rig.finish();
    ranks.barrier();
  };
  EXPECT_THAT(stories(finding_kind::conflict, program),
              testing::Contains(AllOf(HasSubstr("copy_2d of"), HasSubstr("missing order"))));
}

/// Rank 0 sends on two streams; each announces what it sent in `flags[stream]` of rank 1.
rank_program two_streams(std::size_t second_flag) {
  return [second_flag](group& ranks, device& on) {
    const std::shared_ptr<memory> page = on.allocate(64);
    on.write(std::vector<std::byte>(64), page->data());
    const peer_memory pages(ranks, on, page);
    const auto a = on.create_stream("a", stream_priority::normal);
    const auto b = on.create_stream("b", stream_priority::normal);
    std::uint64_t* const flags = reinterpret_cast<std::uint64_t*>(pages.at(1));
    if (ranks.rank() == 0) {
      a->write_value(flags, 1, {"v", 1, 1});
      b->write_value(flags + second_flag, 2, {"q", 1, 2});
    } else if (ranks.rank() == 1) {
      a->wait_value(flags, 1, {"v", 0, 1});
      b->wait_value(flags + second_flag, 2, {"q", 0, 2});
    }
    a->synchronize(ranks.deadline());
    b->synchronize(ranks.deadline());
    ranks.barrier();
  };
}

TEST(sim_hazards, a_flag_for_each_stream) { expect_no_finding(two_streams(1)); }

TEST(sim_hazards, control_one_flag_for_two_streams) {
  EXPECT_THAT(stories(finding_kind::conflict, two_streams(0)),
              testing::Contains(AllOf(HasSubstr("two writes of one signal"),
                                      HasSubstr("write_value of v to rank 1 in exchange 1 on rank "
                                                "0's stream \"a\""),
                                      HasSubstr("write_value of q to rank 1 in exchange 2 on rank "
                                                "0's stream \"b\""))));
}

/// Rank 0 announces two halves, one after the other; rank 1 reads both once `awaited` is there.
rank_program two_announcements(std::uint64_t awaited) {
  return [awaited](group& ranks, device& on) {
    const std::shared_ptr<memory> page = on.allocate(64);
    const std::shared_ptr<memory> source = on.allocate(64);
    on.write(std::vector<std::byte>(64), page->data());
    const peer_memory pages(ranks, on, page);
    const auto compute = on.create_stream("compute", stream_priority::normal);
    std::byte* const there = pages.at(1);
    auto* const flag = reinterpret_cast<std::uint64_t*>(there);
    if (ranks.rank() == 0) {
      compute->copy({source->data(), 16, there + 16, 16, 16, 1}, {"v", 1, 1});
      compute->write_value(flag, 1, {"v", 1, 1});
      compute->copy({source->data(), 16, there + 32, 16, 16, 1}, {"q", 1, 2});
      compute->write_value(flag, 2, {"q", 1, 2});
    } else if (ranks.rank() == 1) {
      compute->wait_value(flag, awaited, {"q", 0, 2});
      compute->copy({there + 16, 32, source->data(), 32, 32, 1}, {"read", 1, 2});
    }
    compute->synchronize(ranks.deadline());
    ranks.barrier();
  };
}

TEST(sim_hazards, a_wait_for_what_is_read) { expect_no_finding(two_announcements(2)); }

/// Also where the word holds more by the time it is looked at.
TEST(sim_hazards, control_a_wait_for_less_than_what_is_read) {
  const auto told = stories(finding_kind::conflict, two_announcements(1));
  EXPECT_THAT(told, testing::SizeIs(schedules));
  EXPECT_THAT(told, testing::Each(AllOf(HasSubstr("copy_2d of q to rank 1 in exchange 2"),
                                        HasSubstr("copy_2d of read"))));
}

// ---- progress -----------------------------------------------------------------------------------

TEST(sim_hazards, control_waiting_for_equality) {
  const auto told = stories(finding_kind::deadlock,
                            exchanges({.reuse = target_reuse::n_buffers}, fault::equality_wait,
                                      [](int rank, exchange_rig& rig) {
                                        for (int i = 0; i < 6; ++i) {
                                          three_exchanges(rank, rig);
                                        }
                                      }));
  EXPECT_THAT(told,
              testing::Contains(AllOf(HasSubstr("wait_for_equality of"), HasSubstr("from rank"),
                                      HasSubstr("to be exactly"), HasSubstr("it holds"))));
}

/// Exchanges of v, q and k, each as its caller may do them: rank 1 keeps `kept` to itself.
rank_program with_releases(int forgetful_rank) {
  return [forgetful_rank](group& ranks, device& on) {
    direct_exchanger transport(ranks, on);
    bench::workload load(on, small_qkv(ranks.size()), ranks.rank(), {0, 1, 2},
                         bench::projection::split, 0);
    const auto compute = on.create_stream("compute", stream_priority::normal);
    transport.prepare(load.specs());
    for (std::uint64_t iteration = 1; iteration <= 2; ++iteration) {
      load.fill(*compute, iteration);
      for (std::size_t tag = 0; tag < 3; ++tag) {
        transport.submit(load.specs()[tag].tag, load.whole(tag), load.source(tag, 0), *compute,
                         tag == 2 ? submit_order::last : submit_order::more);
      }
      for (const tensor_spec& each : load.specs()) transport.wait(each.tag, *compute);
      if (ranks.rank() == forgetful_rank && iteration == 1) break;
      for (const tensor_spec& each : load.specs()) transport.release(each.tag, *compute);
    }
    compute->synchronize(ranks.deadline());
    transport.synchronize(ranks.deadline());
    ranks.barrier();
  };
}

TEST(sim_hazards, every_release_is_made) { expect_no_finding(with_releases(-1)); }

TEST(sim_hazards, control_a_release_is_forgotten) {
  EXPECT_THAT(stories(finding_kind::deadlock, with_releases(1)),
              testing::Each(AllOf(HasSubstr("wait_value of v from rank 1 in exchange 2"),
                                  HasSubstr("to reach 1; it holds 0, and nobody has written it"),
                                  HasSubstr("rank 1's host program waits for a group call"))));
}

TEST(sim_hazards, control_ranks_submit_in_different_orders) {
  const auto program = exchanges({}, fault::none, [](int rank, exchange_rig& rig) {
    for (std::uint64_t iteration = 1; iteration <= 3; ++iteration) {
      rig.exchange(
          iteration, {},
          rank == 1 ? std::vector<std::size_t>{1, 0, 2} : std::vector<std::size_t>{0, 1, 2});
    }
  });
  EXPECT_THAT(
      stories(finding_kind::deadlock, program),
      testing::Each(AllOf(HasSubstr("from rank 1 in exchange 2"), HasSubstr("it holds 0"))));
  EXPECT_THAT(stories(finding_kind::deadlock, program), testing::SizeIs(schedules));
}

TEST(sim_hazards, control_a_rank_stays_away) {
  const rank_program program = [](group& ranks, device& on) {
    contract_site site{ranks, on, element_type::bf16,
                       [&] { return std::make_unique<direct_exchanger>(ranks, on); }};
    exchange_rig rig(site, small_qkv(ranks.size()));
    if (ranks.rank() == 2) return;
    rig.exchange(1);
    rig.finish();
  };
  const auto told = stories(finding_kind::deadlock, program);
  EXPECT_THAT(told, testing::SizeIs(schedules));
  EXPECT_THAT(told, testing::Each(AllOf(HasSubstr("wait_value of v from rank 2 in exchange 1"),
                                        HasSubstr("nobody has written it"),
                                        HasSubstr("rank 2's host program has ended"))));
}

TEST(sim_hazards, control_a_rank_does_not_come_to_a_group_call) {
  const auto told = stories(finding_kind::deadlock, [](group& ranks, device&) {
    if (ranks.rank() != 1) ranks.barrier();
  });
  EXPECT_THAT(told, testing::Each(HasSubstr("to which these ranks have not come: 1")));
  EXPECT_THAT(told, testing::SizeIs(schedules));
}

// ---- memory -------------------------------------------------------------------------------------

/// More tensors than the cache holds, one after the other, and nothing waits on the host but
/// `prepare`.
rank_program evictions(fault broken) {
  return [broken](group& ranks, device& inner) {
    faulty_device on(inner, {.broken = broken});
    direct_exchanger transport(ranks, on);
    const auto compute = on.create_stream("compute", stream_priority::normal);
    std::vector<std::unique_ptr<bench::workload>> loads;
    for (std::int64_t rows = 16; rows < 24; ++rows) {
      loads.push_back(std::make_unique<bench::workload>(on, small_qkv(ranks.size(), rows),
                                                        ranks.rank(), std::vector<int>{0, 1, 2},
                                                        bench::projection::split, 0));
      bench::workload& load = *loads.back();
      transport.prepare(load.specs());
      load.fill(*compute, 1);
      for (std::size_t tag = 0; tag < 3; ++tag) {
        transport.submit(load.specs()[tag].tag, load.whole(tag), load.source(tag, 0), *compute,
                         tag == 2 ? submit_order::last : submit_order::more);
      }
      for (const tensor_spec& each : load.specs()) transport.wait(each.tag, *compute);
      for (const tensor_spec& each : load.specs()) transport.release(each.tag, *compute);
    }
    compute->synchronize(ranks.deadline());
    ranks.barrier();
    transport.synchronize(ranks.deadline());
    ranks.barrier();
  };
}

TEST(sim_hazards, targets_go_when_nobody_uses_them) { expect_no_finding(evictions(fault::none)); }

TEST(sim_hazards, control_a_target_goes_while_a_peer_still_writes) {
  EXPECT_THAT(stories(finding_kind::lost_memory, evictions(fault::no_drain)),
              testing::Contains(AllOf(HasSubstr("host program lets go of"), HasSubstr("copy_2d of"),
                                      HasSubstr("to rank"))));
}

TEST(sim_hazards, control_memory_is_used_after_it_went) {
  const auto told = stories(finding_kind::lost_memory, [](group& ranks, device& on) {
    const auto compute = on.create_stream("compute", stream_priority::normal);
    auto target = on.allocate(64);
    auto source = on.allocate(64);
    std::byte* const gone = target->data();
    target.reset();
    compute->copy({source->data(), 64, gone, 64, 64, 1}, {"v", ranks.rank(), 1});
    compute->synchronize(ranks.deadline());
  });
  EXPECT_THAT(told, testing::Contains(AllOf(HasSubstr("copy_2d of v"), HasSubstr("writes"),
                                            HasSubstr("no longer has mapped"))));
}

// ---- the simulator itself -----------------------------------------------------------------------

TEST(simulate, repeats_a_schedule_by_its_seed) {
  const rank_program program = exchanges({}, fault::none, three_exchanges);
  const auto digest = [&](std::uint64_t seed) {
    return sim::simulate({.ranks = 3, .move_bytes = false}, seed, program).digest;
  };
  EXPECT_EQ(digest(7), digest(7));
  EXPECT_NE(digest(7), digest(8));
}

/// What an observer is told.
class listener final : public observer {
 public:
  void enqueuing(const operation&) override {}
  void enqueued(const operation& op) override { enqueued_.push_back(op); }
  void executed(const operation& op, std::int64_t start_ns, std::int64_t end_ns) override {
    EXPECT_LE(start_ns, end_ns);
    executed_.push_back(op);
  }
  std::vector<operation> enqueued_, executed_;
};

TEST(simulate, tells_observers_what_ran) {
  sim::simulate({.ranks = 2}, 1, [](group& ranks, device& on) {
    listener hears;
    on.observe(&hears);
    const auto memory = on.allocate(128);
    const auto compute = on.create_stream("compute", stream_priority::normal);
    compute->copy({memory->data(), 64, memory->data() + 64, 64, 64, 1}, {"v", ranks.rank(), 3});
    compute->synchronize(ranks.deadline());
    ASSERT_EQ(hears.enqueued_.size(), 1u);
    ASSERT_EQ(hears.executed_.size(), 1u);
    EXPECT_EQ(hears.executed_[0].id, hears.enqueued_[0].id);
    EXPECT_EQ(hears.executed_[0].tag, "v");
    EXPECT_EQ(hears.executed_[0].exchange, 3u);
  });
}

TEST(simulate, unwinds_a_rank_while_others_go_on) {
  const auto result = sim::simulate({.ranks = 3}, 1, [](group& ranks, device& on) {
    // Waits in destructors while its exception is on its way, and others throw and catch theirs.
    struct waits_when_it_goes {
      group& ranks;
      ~waits_when_it_goes() {
        ranks.barrier();
        ranks.barrier();
      }
    };
    try {
      const waits_when_it_goes last{ranks};
      if (ranks.rank() == 1) throw std::runtime_error("rank 1");
      try {
        throw std::logic_error("others");
      } catch (const std::logic_error& mine) {
        ranks.barrier();
        EXPECT_STREQ(mine.what(), "others");
      }
    } catch (const std::runtime_error& mine) {
      EXPECT_STREQ(mine.what(), "rank 1");
      ranks.barrier();
      throw;
    }
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    static_cast<void>(on);
  });
  EXPECT_FALSE(result.failures[0]);
  EXPECT_THROW(std::rethrow_exception(result.failures[1]), std::runtime_error);
}

TEST(simulate, keeps_no_more_of_many_exchanges_than_of_a_few) {
  const auto kept = [](std::uint64_t count) {
    const auto result =
        sim::simulate({.ranks = 3, .move_bytes = false}, 1,
                      exchanges({}, fault::none, [count](int, exchange_rig& rig) {
                        for (std::uint64_t iteration = 1; iteration <= count; ++iteration) {
                          rig.exchange(iteration);
                          if (iteration % 8 == 0) rig.finish();
                        }
                      }));
    return result.most_accesses;
  };
  EXPECT_LE(kept(400), kept(40) + 4);
  EXPECT_GT(kept(40), 4u);
}

}  // namespace
}  // namespace ithaca::validation
