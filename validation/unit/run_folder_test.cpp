#include "bench/run_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "backend/errors.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::bench {
namespace {

namespace fs = std::filesystem;

/// Works in an empty folder of its own.
class run_folders : public testing::Test {
 protected:
  run_folders() { fs::current_path(here_.path()); }
  ~run_folders() override {
    std::error_code ignored;
    fs::current_path(before_, ignored);
  }

  static std::string refusal(const fs::path& chosen) {
    try {
      run_folder folder(chosen, "scatter");
    } catch (const invalid_use& error) {
      return error.what();
    }
    return "accepted";
  }

 private:
  fs::path before_ = fs::current_path();
  temporary_folder here_;
};

TEST_F(run_folders, are_made_where_they_were_chosen) {
  const run_folder folder("a/b/run", "scatter");
  EXPECT_EQ(folder.report(), "a/b/run/report.json");
  EXPECT_EQ(folder.trace(), "a/b/run/trace.json");
  EXPECT_TRUE(fs::is_directory("a/b/run"));
  EXPECT_FALSE(fs::exists("out"));
}

TEST_F(run_folders, may_exist_already) {
  const run_folder first("run", "scatter");
  std::ofstream(first.report()) << "{}";
  EXPECT_EQ(refusal("run"), "accepted");
  EXPECT_TRUE(fs::exists(first.report()));
}

TEST_F(run_folders, keep_no_trace_of_an_earlier_run) {
  const run_folder first("chosen", "scatter");
  std::ofstream(first.trace()) << "{}";
  std::ofstream(first.report()) << "{}";
  const run_folder second("chosen", "scatter");
  EXPECT_FALSE(fs::exists(second.trace()));
  EXPECT_TRUE(fs::exists(second.report()));  // until the new one takes its place
}

TEST_F(run_folders, are_named_after_time_and_command_and_pointed_to) {
  const run_folder folder(std::nullopt, "scatter");
  const fs::path path = folder.report().parent_path();
  EXPECT_THAT(path.string(), testing::MatchesRegex("out/[0-9]{8}-[0-9]{6}-scatter"));
  EXPECT_TRUE(fs::is_directory(path));
  EXPECT_EQ(fs::read_symlink("out/latest"), path.filename());
}

TEST_F(run_folders, are_never_those_of_an_earlier_run) {
  std::set<fs::path> paths;
  fs::path last;
  for (int run = 0; run < 3; ++run) {  // most likely in the same second
    last = run_folder(std::nullopt, "scatter").report().parent_path();
    paths.insert(last);
  }
  EXPECT_EQ(paths.size(), 3u);
  EXPECT_EQ(fs::read_symlink("out/latest"), last.filename());
  for (const fs::path& path : paths) EXPECT_TRUE(fs::is_directory(path));
}

TEST_F(run_folders, that_cannot_be_made_are_refused) {
  std::ofstream("file") << "in the way";
  for (const char* chosen : {"file", "file/run"}) {
    const std::string said = refusal(chosen);
    EXPECT_THAT(said, testing::HasSubstr("the run's folder " + std::string(chosen)));
    EXPECT_THAT(said, testing::HasSubstr("choose another with --out"));
  }
}

TEST_F(run_folders, that_cannot_be_written_are_refused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directory("locked");
  fs::permissions("locked", fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(refusal("locked"), testing::HasSubstr("no permission"));
  EXPECT_THAT(refusal("locked/run"), testing::HasSubstr("choose another with --out"));
}

TEST_F(run_folders, are_not_lost_for_a_pointer_that_cannot_be_set) {
  fs::create_directories("out/latest/not a link");
  const run_folder folder(std::nullopt, "scatter");
  EXPECT_TRUE(fs::is_directory(folder.report().parent_path()));
}

}  // namespace
}  // namespace ithaca::bench
