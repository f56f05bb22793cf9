#include "validation/check_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ithaca::validation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class lines : public testing::Test {
 protected:
  std::vector<std::string> said;
  check_lines tell{[this](const std::string& line) { said.push_back(line); }};
};

TEST_F(lines, are_one_a_check_at_once) {
  tell.add(outcome::ok, "mpi", "bf16 scatter", "");
  EXPECT_THAT(said, ElementsAre("ok   mpi bf16 scatter"));
  tell.add(outcome::failed, "mpi", "bf16 gather", "3 bytes are wrong");
  tell.add(outcome::skipped, "mpi", "bf16 own", "it can't");
  EXPECT_THAT(said, ElementsAre("ok   mpi bf16 scatter", "FAIL mpi bf16 gather: 3 bytes are wrong",
                                "skip mpi bf16 own: it can't"));
  tell.end_arm();
  EXPECT_EQ(said.size(), 3u);
}

TEST_F(lines, are_one_for_an_arm_that_is_skipped_as_a_whole) {
  for (const char* check : {"a", "b", "c"}) tell.add(outcome::skipped, "nccl", check, "not here");
  EXPECT_THAT(said, IsEmpty());
  tell.end_arm();
  EXPECT_THAT(said, ElementsAre("skip nccl: not here (3 checks)"));
  EXPECT_EQ(tell.count(outcome::skipped), 3u);
  EXPECT_EQ(tell.count(outcome::ok), 0u);
  tell.add(outcome::ok, "mpi", "a", "");
  tell.end_arm();
  EXPECT_THAT(said, ElementsAre("skip nccl: not here (3 checks)", "ok   mpi a"));
}

TEST_F(lines, leave_out_nothing_where_checks_differ) {
  tell.add(outcome::skipped, "nccl", "a", "no room");
  tell.add(outcome::skipped, "nccl", "b", "not here");
  tell.end_arm();
  EXPECT_THAT(said, ElementsAre("skip nccl a: no room", "skip nccl b: not here"));
  said.clear();
  tell.add(outcome::skipped, "mpi", "a", "no room");
  tell.add(outcome::ok, "mpi", "b", "");
  tell.add(outcome::skipped, "mpi", "c", "no room");
  tell.end_arm();
  EXPECT_THAT(said, ElementsAre("skip mpi a: no room", "ok   mpi b", "skip mpi c: no room"));
}

TEST_F(lines, of_a_single_check_name_it) {
  tell.add(outcome::skipped, "nccl", "bf16 own", "it can't");
  tell.end_arm();
  tell.add(outcome::skipped, "nccl", "", "it does not run on the host device");
  tell.end_arm();
  EXPECT_THAT(said, ElementsAre("skip nccl bf16 own: it can't",
                                "skip nccl: it does not run on the host device"));
}

}  // namespace
}  // namespace ithaca::validation
