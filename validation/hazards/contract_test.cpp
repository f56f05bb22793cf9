// The contract on thread groups: every exchanger and every option of it that needs no MPI, under
// every sanitizer.

#include "validation/contract/contract.hpp"

#include <gtest/gtest.h>

#include <array>
#include <mutex>
#include <string_view>

#include "backend/communicator.hpp"
#include "backend/direct_exchanger.hpp"
#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "backend/packed_exchanger.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/hazards/meeting_transport.hpp"
#include "validation/hazards/test_name.hpp"

namespace ithaca::validation {
namespace {

using meeting = std::shared_ptr<thread_meeting>;

struct implementation {
  std::string_view name;
  std::unique_ptr<exchanger> (*make)(group& ranks, device& on, const meeting& beside);
};

template <direct_options options>
std::unique_ptr<exchanger> direct(group& ranks, device& on, const meeting&) {
  return std::make_unique<direct_exchanger>(ranks, on, options);
}

template <bool equal_chunks, packing packed>
std::unique_ptr<exchanger> through_meeting(group& ranks, device& on, const meeting& beside) {
  return std::make_unique<packed_exchanger>(
      ranks, on, std::make_unique<meeting_transport>(beside, ranks.rank(), equal_chunks), packed);
}

/// Falls back before the first exchange.
std::unique_ptr<exchanger> second_choice(group& ranks, device& on, const meeting& beside) {
  const auto refuse = []() -> std::unique_ptr<exchanger> { throw not_eligible("not here"); };
  const auto serve = [&ranks, &on, beside] { return direct<direct_options{}>(ranks, on, beside); };
  return std::make_unique<communicator>(
      ranks, std::vector<transport_choice>{{"never", refuse}, {"direct", serve}});
}

constexpr std::array implementations = {
    implementation{"copy_engine", direct<direct_options{}>},
    implementation{"copy_engine_naive", direct<direct_options{.order = peer_order::naive}>},
    implementation{"copy_engine_2_lanes", direct<direct_options{.lanes = 2}>},
    implementation{"copy_engine_3_lanes_staged",
                   direct<direct_options{.lanes = 3, .signals = signal_kind::staged_copy}>},
    implementation{"copy_engine_normal_priority",
                   direct<direct_options{.copy_priority = stream_priority::normal}>},
    implementation{"copy_engine_per_tensor",
                   direct<direct_options{.arrivals = arrival_scope::per_tensor}>},
    implementation{
        "push_kernel_per_tensor",
        direct<direct_options{.moves = mover::push_kernel, .arrivals = arrival_scope::per_tensor}>},
    implementation{"copy_engine_own_behind",
                   direct<direct_options{.own = own_chunk_way::copy_stream}>},
    implementation{"copy_engine_own_kernel", direct<direct_options{.own = own_chunk_way::kernel}>},
    implementation{"own_kernel_per_tensor",
                   direct<direct_options{.arrivals = arrival_scope::per_tensor,
                                         .own = own_chunk_way::kernel}>},
    implementation{"copy_engine_packed", direct<direct_options{.source = copy_source::packed}>},
    implementation{
        "copy_engine_packed_n_buffers",
        direct<direct_options{.reuse = target_reuse::n_buffers, .source = copy_source::packed}>},
    implementation{"copy_engine_kernel_signals",
                   direct<direct_options{.signals = signal_kind::kernel}>},
    implementation{
        "kernel_signals_n_buffers",
        direct<direct_options{.reuse = target_reuse::n_buffers, .signals = signal_kind::kernel}>},
    implementation{"kernel_signals_per_tensor",
                   direct<direct_options{.signals = signal_kind::kernel,
                                         .arrivals = arrival_scope::per_tensor}>},
    implementation{"copy_engine_paced", direct<direct_options{.order = peer_order::paced}>},
    implementation{
        "copy_engine_paced_staged",
        direct<direct_options{.order = peer_order::paced, .signals = signal_kind::staged_copy}>},
    implementation{
        "copy_engine_paced_external",
        direct<direct_options{.order = peer_order::paced, .reuse = target_reuse::external}>},
    implementation{"copy_engine_by_handle",
                   direct<direct_options{.sharing = memory_sharing::handle}>},
    implementation{"push_kernel", direct<direct_options{.moves = mover::push_kernel}>},
    implementation{"push_exchange", direct<direct_options{.moves = mover::push_exchange}>},
    implementation{"copy_engine_n_buffers",
                   direct<direct_options{.reuse = target_reuse::n_buffers}>},
    implementation{"copy_engine_3_buffers",
                   direct<direct_options{.reuse = target_reuse::n_buffers, .target_buffers = 3}>},
    implementation{"copy_engine_external", direct<direct_options{.reuse = target_reuse::external}>},
    implementation{
        "own_kernel_flags",
        direct<direct_options{.words = signal_words::flags, .own = own_chunk_way::kernel}>},
    implementation{
        "own_behind_flags",
        direct<direct_options{.words = signal_words::flags, .own = own_chunk_way::copy_stream}>},
    implementation{"copy_engine_flags", direct<direct_options{.words = signal_words::flags}>},
    implementation{
        "push_kernel_flags",
        direct<direct_options{.moves = mover::push_kernel, .words = signal_words::flags}>},
    implementation{
        "push_exchange_n_buffers",
        direct<direct_options{.reuse = target_reuse::n_buffers, .moves = mover::push_exchange}>},
    // The contract's tensors are of both sizes, in one exchange where they are prepared apart.
    implementation{
        "some_pushed_together",
        direct<direct_options{.moves = mover::hybrid, .push_exchange_up_to_bytes = 30'000}>},
    implementation{"communicator", second_choice},
    implementation{"packed", through_meeting<false, packing::whole_exchange>},
    implementation{"packed_in_equal_chunks", through_meeting<true, packing::whole_exchange>},
    implementation{"packed_bare", through_meeting<true, packing::by_caller>},
    implementation{"packed_each_submit", through_meeting<true, packing::each_submit>},
};

/// Whether a check is of something that the implementation does not do.
bool can_not(const implementation& how, const contract_check& check) {
  const bool flags = how.name.ends_with("_flags");
  if (check.name == "own chunk written by its producer") return how.name.starts_with("packed");
  if (check.name == "exchanges alternate between two streams") return flags;
  return check.name.starts_with("captured into a graph") && !flags;
}

struct contract_case {
  implementation how;
  contract_check check;
  int ranks;
};

class contract_on_threads : public testing::TestWithParam<contract_case> {};

TEST_P(contract_on_threads, holds) {
  for (const element_type type : {element_type::bf16, element_type::fp8}) {
    const auto beside = std::make_shared<thread_meeting>(GetParam().ranks);
    std::mutex mutex;
    std::string failure, skipped;
    run_thread_ranks(GetParam().ranks, [&](thread_group& ranks) {
      host_device on;
      contract_site site{ranks, on, type, [&] { return GetParam().how.make(ranks, on, beside); },
                         GetParam().how.name.ends_with("_external")};
      std::string wrong, refused;
      try {
        wrong = GetParam().check.run(site);
      } catch (const not_eligible& reason) {
        refused = reason.what();
      }
      const std::lock_guard lock(mutex);
      if (!wrong.empty()) failure = wrong;
      if (!refused.empty()) skipped = refused;
    });
    EXPECT_EQ(failure, "") << to_string(type);
    EXPECT_EQ(!skipped.empty(), can_not(GetParam().how, GetParam().check)) << skipped;
  }
}

std::vector<contract_case> all_cases() {
  std::vector<contract_case> cases;
  for (const implementation& how : implementations) {
    for (const contract_check& check : contract_checks()) {
      for (const int ranks : {2, 3, 4}) cases.push_back({how, check, ranks});
    }
  }
  return cases;
}

std::string case_name(const testing::TestParamInfo<contract_case>& info) {
  return test_name(info.param.how.name, info.param.check.name, info.param.ranks);
}

INSTANTIATE_TEST_SUITE_P(all, contract_on_threads, testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace ithaca::validation
