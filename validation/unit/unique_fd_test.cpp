#include "backend/unique_fd.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

namespace ithaca {
namespace {

bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

unique_fd opened() { return unique_fd(memfd_create("ithaca-test", MFD_CLOEXEC)); }

TEST(unique_fd, closes_what_it_owns) {
  int fd = -1;
  {
    const unique_fd owner = opened();
    fd = owner.get();
    EXPECT_TRUE(owner);
    EXPECT_TRUE(is_open(fd));
  }
  EXPECT_FALSE(is_open(fd));
}

TEST(unique_fd, owns_nothing_at_first_and_after_reset) {
  unique_fd owner;
  EXPECT_FALSE(owner);
  owner = opened();
  const int fd = owner.get();
  owner.reset();
  EXPECT_FALSE(owner);
  EXPECT_FALSE(is_open(fd));
}

TEST(unique_fd, hands_over_when_moved_and_closes_what_it_held) {
  unique_fd first = opened();
  unique_fd second = opened();
  const int fd = first.get();
  const int replaced = second.get();
  second = std::move(first);
  EXPECT_FALSE(first);  // NOLINT: what a move leaves is part of the contract
  EXPECT_EQ(second.get(), fd);
  EXPECT_TRUE(is_open(fd));
  EXPECT_FALSE(is_open(replaced));

  unique_fd& same = second;
  second = std::move(same);
  EXPECT_EQ(second.get(), fd);
  EXPECT_TRUE(is_open(fd));
}

TEST(unique_fd, lets_go_of_what_it_releases) {
  unique_fd owner = opened();
  const int fd = owner.release();
  EXPECT_FALSE(owner);
  EXPECT_TRUE(is_open(fd));
  close(fd);
}

}  // namespace
}  // namespace ithaca
