#include "backend/descriptor_mesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <csignal>
#include <cstddef>
#include <optional>
#include <utility>

#include "backend/errors.hpp"
#include "backend/host/shared_word.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/unit/failure_of.hpp"
#include "validation/unit/forked.hpp"
#include "validation/unit/hang_limit.hpp"

namespace ithaca {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// A descriptor of memory that holds one number.
unique_fd descriptor_of(std::int64_t number) {
  unique_fd fd(memfd_create("ithaca-test", MFD_CLOEXEC));
  EXPECT_EQ(pwrite(fd.get(), &number, sizeof number, 0), ssize_t{sizeof number});
  return fd;
}

std::int64_t number_of(const unique_fd& fd) {
  std::int64_t number = -1;
  EXPECT_EQ(pread(fd.get(), &number, sizeof number, 0), ssize_t{sizeof number});
  return number;
}

descriptor_mesh mesh_of(thread_group& ranks) {
  const auto gather = [&](const std::string& mine) { return ranks.all_gather_text(mine); };
  return descriptor_mesh(ranks.rank(), ranks.size(), gather, hang_limit);
}

TEST(descriptor_mesh, gives_everyone_the_descriptors_of_all_others) {
  run_thread_ranks(4, [](thread_group& ranks) {
    descriptor_mesh mesh = mesh_of(ranks);
    for (int round = 0; round < 5; ++round) {
      const unique_fd mine = descriptor_of(10 * round + ranks.rank());
      const std::vector<unique_fd> all = mesh.all_gather(mine, hang_limit);
      ASSERT_EQ(all.size(), 4u);
      for (int rank = 0; rank < 4; ++rank) {
        const unique_fd& theirs = all[static_cast<std::size_t>(rank)];
        ASSERT_EQ(static_cast<bool>(theirs), rank != ranks.rank());
        if (theirs) {
          EXPECT_EQ(number_of(theirs), 10 * round + rank);
        }
      }
    }
  });
}

TEST(descriptor_mesh, of_one_rank_has_nobody_to_ask) {
  run_thread_ranks(1, [](thread_group& ranks) {
    descriptor_mesh mesh = mesh_of(ranks);
    const std::vector<unique_fd> all = mesh.all_gather(descriptor_of(1), hang_limit);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_FALSE(all[0]);
  });
}

TEST(descriptor_mesh, names_a_peer_that_closed_before_the_call) {
  run_thread_ranks(3, [](thread_group& ranks) {
    std::optional<descriptor_mesh> mesh = mesh_of(ranks);
    if (ranks.rank() == 1) mesh.reset();
    ranks.barrier();
    if (mesh) {
      EXPECT_THAT(failure_of([&] { mesh->all_gather(descriptor_of(0), hang_limit); }),
                  HasSubstr("rank 1"));
    }
    ranks.barrier();  // whoever left now would be taken for the one that is gone
  });
}

TEST(descriptor_mesh, names_a_peer_that_closed_during_the_call) {
  run_thread_ranks(2, [](thread_group& ranks) {
    std::optional<descriptor_mesh> mesh = mesh_of(ranks);
    if (ranks.rank() == 1) {
      std::this_thread::sleep_for(20ms);  // rank 0 most likely waits by now
      return;
    }
    EXPECT_THAT(failure_of([&] { mesh->all_gather(descriptor_of(0), hang_limit); }),
                HasSubstr("rank 1"));
  });
}

TEST(descriptor_mesh, names_a_peer_that_keeps_silent) {
  run_thread_ranks(2, [](thread_group& ranks) {
    descriptor_mesh mesh = mesh_of(ranks);
    if (ranks.rank() == 0) {
      EXPECT_EQ(failure_of([&] { mesh.all_gather(descriptor_of(0), 30ms); }),
                "the descriptor socket got no answer from rank 1");
    }
    ranks.barrier();
  });
}

TEST(descriptor_mesh, names_a_peer_that_has_no_descriptor_to_give) {
  run_thread_ranks(2, [](thread_group& ranks) {
    descriptor_mesh mesh = mesh_of(ranks);
    const unique_fd mine = ranks.rank() == 0 ? descriptor_of(0) : unique_fd();
    const std::string said = failure_of([&] { mesh.all_gather(mine, hang_limit); });
    EXPECT_EQ(said, ranks.rank() == 0 ? "rank 1 sent no descriptor" : "no failure");
  });
}

TEST(descriptor_mesh, gives_up_on_a_peer_that_never_calls) {
  run_thread_ranks(2, [](thread_group& ranks) {
    const auto gather = [&](const std::string& mine) { return ranks.all_gather_text(mine); };
    if (ranks.rank() == 0) {
      EXPECT_THAT(failure_of([&] { descriptor_mesh mesh(0, 2, gather, 30ms); }),
                  HasSubstr("no answer from a higher rank"));
    } else {
      gather("a name");
    }
  });
}

/// Calls a rank's socket, and hangs up without a word.
void call_and_hang_up(const std::string& name) {
  const unique_fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  EXPECT_EQ(connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), length), 0);
}

TEST(descriptor_mesh, notices_a_peer_that_is_gone_before_it_says_its_rank) {
  run_thread_ranks(2, [](thread_group& ranks) {
    const auto gather = [&](const std::string& mine) { return ranks.all_gather_text(mine); };
    if (ranks.rank() == 0) {
      EXPECT_EQ(failure_of([&] { descriptor_mesh mesh(0, 2, gather, hang_limit); }),
                "a higher rank is gone: its descriptor socket is closed");
    } else {
      call_and_hang_up(gather("")[0]);
    }
  });
}

TEST(descriptor_mesh, names_a_peer_that_cannot_be_reached) {
  run_thread_ranks(2, [](thread_group& ranks) {
    const auto gather = [&](const std::string& mine) { return ranks.all_gather_text(mine); };
    if (ranks.rank() == 1) {
      EXPECT_THAT(failure_of([&] { descriptor_mesh mesh(1, 2, gather, hang_limit); }),
                  HasSubstr("rank 0 can't be reached"));
    } else {
      gather("nobody listens here");
    }
  });
}

/// How forked ranks tell each other their sockets' names.
struct meeting {
  char names[3][64];
  std::uint64_t present[3];
  std::uint64_t one_is_gone;
  std::uint64_t has_called[3];
};

void await(const std::uint64_t* word) {
  while (!sleep_until_reached(word, 1, 100ms)) {
  }
}

descriptor_mesh forked_mesh(shared_value<meeting>& shared, int rank) {
  const auto gather = [&](const std::string& mine) {
    mine.copy(shared->names[rank], sizeof shared->names[rank] - 1);
    store_and_wake(&shared->present[rank], 1);
    std::vector<std::string> all;
    for (int peer = 0; peer < 3; ++peer) {
      await(&shared->present[peer]);
      all.emplace_back(shared->names[peer]);
    }
    return all;
  };
  return descriptor_mesh(rank, 3, gather, hang_limit);
}

TEST(descriptor_mesh, works_between_processes_and_names_one_that_died) {
  shared_value<meeting> shared;
  const auto survivor = [&](int rank) {
    return [&shared, rank] {
      descriptor_mesh mesh = forked_mesh(shared, rank);
      const std::vector<unique_fd> all = mesh.all_gather(descriptor_of(rank), hang_limit);
      for (int peer = 0; peer < 3; ++peer) {
        if (peer != rank && number_of(all[static_cast<std::size_t>(peer)]) != peer) return 1;
      }
      await(&shared->one_is_gone);
      const std::string said =
          failure_of([&] { mesh.all_gather(descriptor_of(rank), hang_limit); });
      store_and_wake(&shared->has_called[rank], 1);
      await(&shared->has_called[2 - rank]);  // who leaves is taken for the one that died
      return said.find("rank 1") == std::string::npos ? 2 : 0;
    };
  };
  forked rank_0(survivor(0));
  forked rank_1([&] {
    forked_mesh(shared, 1).all_gather(descriptor_of(1), hang_limit);
    return 0;
  });
  forked rank_2(survivor(2));
  EXPECT_EQ(rank_1.exit_status(), 0);
  store_and_wake(&shared->one_is_gone, 1);
  EXPECT_EQ(rank_0.exit_status(), 0);
  EXPECT_EQ(rank_2.exit_status(), 0);
}

/// Waits until somebody is known to be gone, or gives up after a while.
std::string who_goes(descriptor_mesh& mesh) {
  const auto end = std::chrono::steady_clock::now() + hang_limit;
  while (std::chrono::steady_clock::now() < end) {
    if (std::string gone = mesh.who_is_gone(); !gone.empty()) return gone;
    std::this_thread::sleep_for(1ms);
  }
  return "nobody";
}

TEST(descriptor_mesh, sees_that_a_process_was_killed) {
  shared_value<meeting> shared;
  const auto survivor = [&](int rank) {
    return [&shared, rank] {
      descriptor_mesh mesh = forked_mesh(shared, rank);
      if (!mesh.who_is_gone().empty()) return 1;  // it waits for the others' calls
      store_and_wake(&shared->has_called[rank], 1);
      const std::string gone = who_goes(mesh);
      store_and_wake(&shared->present[rank], 2);
      while (!sleep_until_reached(&shared->present[2 - rank], 2, 100ms)) {
      }
      return gone == "rank 1 is gone: its process ended" ? 0 : 2;
    };
  };
  forked rank_0(survivor(0));
  forked rank_1([&] {
    const descriptor_mesh mesh = forked_mesh(shared, 1);
    await(&shared->has_called[0]);
    await(&shared->has_called[2]);
    return raise(SIGKILL);
  });
  forked rank_2(survivor(2));
  EXPECT_EQ(rank_0.exit_status(), 0);
  EXPECT_EQ(rank_2.exit_status(), 0);
}

TEST(descriptor_mesh, misses_nobody_who_lives_or_left_in_order) {
  run_thread_ranks(3, [](thread_group& ranks) {
    std::optional<descriptor_mesh> mesh = mesh_of(ranks);
    ranks.barrier();
    EXPECT_EQ(mesh->who_is_gone(), "");
    ranks.barrier();
    if (ranks.rank() == 1) mesh.reset();
    ranks.barrier();
    if (mesh) {
      EXPECT_EQ(mesh->who_is_gone(), "");
    }
    ranks.barrier();
  });
}

TEST(descriptor_mesh, misses_a_rank_that_an_error_unwinds) {
  run_thread_ranks(2, [](thread_group& ranks) {
    std::optional<descriptor_mesh> mesh = mesh_of(ranks);
    if (ranks.rank() == 1) {
      const auto fails = [&] {
        const descriptor_mesh unwound = std::move(*mesh);
        throw exchange_broken("an error");
      };
      EXPECT_EQ(failure_of(fails), "an error");
    }
    ranks.barrier();
    if (ranks.rank() == 0) {
      EXPECT_EQ(mesh->who_is_gone(), "rank 1 is gone: its process ended");
    }
    ranks.barrier();
  });
}

TEST(descriptor_mesh, sees_an_end_behind_a_descriptor_that_was_not_asked_for) {
  run_thread_ranks(2, [](thread_group& ranks) {
    std::optional<descriptor_mesh> mesh = mesh_of(ranks);
    if (ranks.rank() == 1) {
      const auto fails = [&] {
        descriptor_mesh unwound = std::move(*mesh);
        unwound.all_gather(descriptor_of(5), 1ms);
      };
      EXPECT_THAT(failure_of(fails), HasSubstr("no answer from rank 0"));
    }
    ranks.barrier();
    if (ranks.rank() == 0) {
      EXPECT_EQ(mesh->who_is_gone(), "rank 1 is gone: its process ended");
    }
    ranks.barrier();
  });
}

TEST(descriptor_mesh, keeps_descriptors_that_a_look_took_in) {
  run_thread_ranks(2, [](thread_group& ranks) {
    descriptor_mesh mesh = mesh_of(ranks);
    const unique_fd mine = descriptor_of(ranks.rank());
    std::vector<unique_fd> all;
    if (ranks.rank() == 1) {
      std::jthread looks([&] {
        for (int look = 0; look < 100; ++look) {
          EXPECT_EQ(mesh.who_is_gone(), "");
          std::this_thread::yield();
        }
      });
      all = mesh.all_gather(mine, hang_limit);
    } else {
      all = mesh.all_gather(mine, hang_limit);
    }
    EXPECT_EQ(number_of(all[ranks.rank() == 0 ? 1u : 0u]), 1 - ranks.rank());
    ranks.barrier();
  });
}

TEST(descriptor_mesh, tells_who_gave_up_first_and_why) {
  run_thread_ranks(3, [](thread_group& ranks) {
    descriptor_mesh mesh = mesh_of(ranks);
    if (ranks.rank() == 2) mesh.give_up("waited in vain");
    ranks.barrier();
    const std::string why = "rank 2 gave up: waited in vain";
    if (ranks.rank() == 0) {
      EXPECT_EQ(mesh.who_is_gone(), why);
      mesh.give_up("something that came of it");
    }
    ranks.barrier();
    EXPECT_EQ(mesh.who_is_gone(), ranks.rank() == 2 ? "" : why);
    ranks.barrier();
  });
}

TEST(descriptor_mesh, stops_asking_a_silent_peer_when_another_is_gone) {
  class sees_one_gone final : public watch {
   public:
    std::string in_vain() override { return "rank 7 is gone"; }
    void give_up(const std::string&, const std::string&) override {}
  };
  run_thread_ranks(2, [](thread_group& ranks) {
    descriptor_mesh mesh = mesh_of(ranks);
    sees_one_gone by;
    if (ranks.rank() == 0) {
      EXPECT_EQ(failure_of([&] { mesh.all_gather(descriptor_of(0), hang_limit, &by); }),
                "rank 7 is gone");
    }
    ranks.barrier();
  });
}

}  // namespace
}  // namespace ithaca
