// Options of the direct exchanger on simulated ranks: the order that each rests on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "backend/direct_exchanger.hpp"
#include "validation/hazards/sim_stories.hpp"

namespace ithaca::validation {
namespace {

using sim::finding_kind;
using testing::AllOf;
using testing::HasSubstr;

// ---- arrival by kernels -------------------------------------------------------------------------

constexpr direct_options by_kernels{.signals = signal_kind::kernel};

TEST(sim_arrival_by_kernels, keeps_all_its_bytes_in_order) {
  for (const target_reuse reuse : {target_reuse::handshake, target_reuse::n_buffers}) {
    expect_no_finding(
        exchanges({.reuse = reuse, .signals = signal_kind::kernel}, fault::none, three_exchanges),
        4);
  }
}

TEST(sim_arrival_by_kernels, control_reads_before_it_was_there) {
  for (const fault broken : {fault::signal_before_copy, fault::no_arrival_wait}) {
    EXPECT_THAT(stories(finding_kind::conflict, exchanges(by_kernels, broken, three_exchanges)),
                testing::Contains(AllOf(HasSubstr("copy_2d of"), HasSubstr("check_kernel of"))));
  }
}

// ---- arrival per tensor -------------------------------------------------------------------------

/// Exchanges of v, q and k, each read behind its own wait, before the next one is awaited.
rank_program read_one_by_one(fault broken) {
  return [broken](group& ranks, device& inner) {
    faulty_device on(inner, {.broken = broken});
    direct_exchanger transport(ranks, on, {.arrivals = arrival_scope::per_tensor});
    bench::workload load(on, small_qkv(ranks.size()), ranks.rank(), {0, 1, 2},
                         bench::projection::split, 0);
    const auto compute = on.create_stream("compute", stream_priority::normal);
    transport.prepare(load.specs());
    for (std::uint64_t iteration = 1; iteration <= 3; ++iteration) {
      load.fill(*compute, iteration);
      for (std::size_t tag = 0; tag < 3; ++tag) {
        transport.submit(load.specs()[tag].tag, load.whole(tag), load.source(tag, 0), *compute,
                         tag == 2 ? submit_order::last : submit_order::more);
      }
      for (std::size_t tag = 0; tag < 3; ++tag) {
        const std::string& name = load.specs()[tag].tag;
        load.check(*compute, tag, transport.wait(name, *compute), 0, iteration);
        transport.release(name, *compute);
      }
    }
    compute->synchronize(ranks.deadline());
    transport.synchronize(ranks.deadline());
    ranks.barrier();
  };
}

TEST(sim_arrival_per_tensor, keeps_all_its_bytes_in_order) {
  expect_no_finding(read_one_by_one(fault::none));
}

class sim_arrival_per_tensor_without : public testing::TestWithParam<fault> {};

TEST_P(sim_arrival_per_tensor_without, control_reads_each_before_it_was_there) {
  const auto told = stories(finding_kind::conflict, read_one_by_one(GetParam()));
  for (const char* tag : {"v", "q", "k"}) {
    const std::string named(tag);
    EXPECT_THAT(told, testing::Contains(AllOf(HasSubstr("copy_2d of " + named + " to"),
                                              HasSubstr("check_kernel of " + named + " on"))));
  }
}

INSTANTIATE_TEST_SUITE_P(of, sim_arrival_per_tensor_without,
                         testing::Values(fault::signal_before_copy, fault::no_arrival_wait));

// ---- packed source ------------------------------------------------------------------------------

/// Sends the same source again and again, and waits on another stream: nothing but the exchanger
/// keeps what is packed next from what is still being copied.
void sends_without_end(group& ranks, device& on) {
  direct_exchanger transport(ranks, on, {.source = copy_source::packed});
  bench::workload load(on, small_qkv(ranks.size()), ranks.rank(), {0, 1, 2},
                       bench::projection::split, 0);
  const auto compute = on.create_stream("compute", stream_priority::normal);
  const auto reader = on.create_stream("reader", stream_priority::normal);
  transport.prepare(load.specs());
  load.fill(*compute, 1);
  for (int exchange = 0; exchange < 3; ++exchange) {
    for (std::size_t tag = 0; tag < 3; ++tag) {
      transport.submit(load.specs()[tag].tag, load.whole(tag), load.source(tag, 0), *compute,
                       tag == 2 ? submit_order::last : submit_order::more);
    }
    for (const tensor_spec& each : load.specs()) transport.wait(each.tag, *reader);
    for (const tensor_spec& each : load.specs()) transport.release(each.tag, *reader);
  }
  compute->synchronize(ranks.deadline());
  reader->synchronize(ranks.deadline());
  transport.synchronize(ranks.deadline());
  ranks.barrier();
}

TEST(sim_packed_source, is_not_packed_while_it_is_copied) { expect_no_finding(sends_without_end); }

}  // namespace
}  // namespace ithaca::validation
