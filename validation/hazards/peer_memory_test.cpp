#include "backend/peer_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "backend/memory_part.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/hazards/borrowed_group.hpp"
#include "validation/hazards/faulty_device.hpp"

namespace ithaca {
namespace {

using testing::HasSubstr;

std::byte letter(int rank) { return static_cast<std::byte>('a' + rank); }

void put_and_find_letters(group& ranks, device& on, const std::shared_ptr<memory>& mine) {
  *mine->data() = letter(ranks.rank());
  const peer_memory all(ranks, on, mine);
  for (int rank = 0; rank < ranks.size(); ++rank) EXPECT_EQ(*all.at(rank), letter(rank));
  ranks.barrier();
}

TEST(peer_memory, by_handle_reaches_another_mapping_of_every_peer) {
  run_thread_ranks(3, [](thread_group& threads) {
    validation::borrowed_group ranks(threads, validation::kinship::processes);
    host_device on;
    put_and_find_letters(ranks, on, on.allocate(64, memory_sharing::handle));
  });
}

TEST(peer_memory, of_parts_may_lie_at_another_offset_on_every_rank) {
  run_thread_ranks(3, [](thread_group& threads) {
    validation::borrowed_group ranks(threads, validation::kinship::processes);
    host_device on;
    const auto offset = static_cast<std::size_t>(64 * threads.rank());
    const std::shared_ptr<memory> whole = on.allocate(256, memory_sharing::handle);
    put_and_find_letters(ranks, on, std::make_shared<memory_part>(whole, offset, 64));
  });
}

TEST(peer_memory, control_a_handle_without_its_offset_names_the_beginning) {
  run_thread_ranks(3, [](thread_group& threads) {
    validation::borrowed_group ranks(threads, validation::kinship::processes);
    host_device on;
    const std::shared_ptr<memory> whole = on.allocate(256, memory_sharing::handle);
    on.write(std::vector<std::byte>(256), whole->data());
    whole->data()[64 * ranks.rank()] = letter(ranks.rank());
    const peer_memory all(ranks, on, whole);
    EXPECT_EQ(*all.at(0), letter(0));  // whose offset is 0
    for (const int rank : {1, 2}) EXPECT_EQ(*all.at(rank), std::byte{0});
    ranks.barrier();
  });
}

TEST(peer_memory, that_one_rank_can_not_map_is_refused_on_all) {
  run_thread_ranks(3, [](thread_group& threads) {
    validation::borrowed_group ranks(threads, validation::kinship::processes);
    host_device host;
    validation::faulty_device on(host, {.no_import = threads.rank() == 1});
    const std::shared_ptr<memory> mine = on.allocate(64, memory_sharing::handle);
    try {
      const peer_memory all(ranks, on, mine);
      ADD_FAILURE() << "was not refused";
    } catch (const not_eligible& refusal) {
      EXPECT_THAT(refusal.what(), HasSubstr("rank 1: the device can't map a peer's memory"));
    }
  });
}

TEST(peer_memory, that_breaks_one_rank_breaks_all) {
  run_thread_ranks(3, [](thread_group& threads) {
    validation::borrowed_group ranks(threads, validation::kinship::processes);
    host_device host;
    validation::faulty_device on(host, {.breaks_at_import = threads.rank() == 1});
    const std::shared_ptr<memory> mine = on.allocate(64, memory_sharing::handle);
    try {
      const peer_memory all(ranks, on, mine);
      ADD_FAILURE() << "was mapped";
    } catch (const exchange_broken& failure) {
      EXPECT_THAT(failure.what(), HasSubstr("rank 1: the device broke"));
    }
  });
}

TEST(memory_part, keeps_its_allocation_and_stays_inside) {
  host_device on;
  std::shared_ptr<memory> whole = on.allocate(128);
  std::byte* const begin = whole->data();
  const memory_part part(whole, 32, 96);
  EXPECT_THROW(memory_part(whole, 32, 97), std::out_of_range);
  EXPECT_THROW(memory_part(whole, 129, 0), std::out_of_range);
  whole.reset();
  EXPECT_EQ(part.data(), begin + 32);
  *part.data() = std::byte{1};  // still mapped
}

}  // namespace
}  // namespace ithaca
