#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

#include "reports/report_file.hpp"
#include "reports/whole_file.hpp"
#include "validation/unit/reports_example.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::reports {
namespace {

namespace fs = std::filesystem;

class report_file : public testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string refusal() const {
    try {
      read_report(path_);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

  temporary_folder folder_;
  fs::path path_ = folder_ / "report.json";
};

TEST_F(report_file, comes_back_as_written_and_leaves_nothing_beside_it) {
  write_report(example_report(), path_);
  EXPECT_EQ(read_report(path_), example_report());
  report later = example_report();
  later.cells.pop_back();
  write_report(later, path_);
  EXPECT_EQ(read_report(path_), later);
  EXPECT_EQ(files(), 1u);
}

TEST_F(report_file, is_written_through_links_and_never_in_the_place_of_a_pipe) {
  const fs::path link = folder_ / "link.json";
  write("old");
  fs::create_symlink(path_, link);
  write_whole_file(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(text(), "new");
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(write_whole_file(pipe, "new"), std::runtime_error);
  EXPECT_TRUE(fs::is_fifo(pipe));
  const fs::path nowhere = folder_ / "nowhere";
  fs::create_symlink(folder_ / "absent", nowhere);
  EXPECT_THROW(write_whole_file(nowhere, "new"), std::runtime_error);
}

TEST_F(report_file, has_nothing_behind_a_nul_byte) {
  write_report(example_report(), path_);
  write(text() + std::string(1, '\0'));
  EXPECT_THAT(refusal(), testing::HasSubstr("holds a NUL byte"));
}

TEST_F(report_file, holds_names_that_are_no_utf8) {
  report foreign = example_report();
  foreign.machine.environment["NCCL_X"] = "\xff";
  write_report(foreign, path_);
  EXPECT_EQ(read_report(path_).machine.environment.at("NCCL_X"), "\xef\xbf\xbd");
}

TEST_F(report_file, is_refused_when_it_breaks_off_anywhere) {
  write_report(example_report(), path_);
  const std::string whole = text();
  for (std::size_t length = 0; length + 2 < whole.size(); length += 97) {
    write(whole.substr(0, length));
    const std::string said = refusal();
    EXPECT_TRUE(said.starts_with(path_.string() + (length == 0 ? " is empty" : " is truncated")))
        << length << ": " << said;
  }
}

TEST_F(report_file, is_refused_with_file_and_place_when_foreign) {
  write("{\n \"a\": 1,\n b\n}");
  EXPECT_TRUE(refusal().starts_with(path_.string() + " is no JSON: ")) << refusal();
  EXPECT_NE(refusal().find("line 3"), std::string::npos) << refusal();
  write("{\"schema_version\": 1e999}");
  EXPECT_TRUE(refusal().starts_with(path_.string() + " holds a number that no double can hold"))
      << refusal();
  write("{\"traceEvents\": []}");
  EXPECT_EQ(refusal(),
            path_.string() + " is no report: the report lacks the field \"schema_version\"");
  json older = to_json(example_report());
  older["schema_version"] = 0;
  write(older.dump());
  EXPECT_EQ(
      refusal(),
      path_.string() +
          " is no report: schema_version is 0, and this program reads 2: read the report with the "
          "program that wrote it, or measure again with this one");
  json changed = to_json(example_report());
  changed["cells"][1].erase("arm");
  write(changed.dump());
  EXPECT_EQ(refusal(), path_.string() + " is no report: cells[1] lacks the field \"arm\"");
}

TEST_F(report_file, is_refused_when_it_can_not_be_read) {
  EXPECT_EQ(refusal(), path_.string() + ": there is no such file");
  fs::create_directory(path_);
  EXPECT_EQ(refusal(), path_.string() + ": is a folder: give a file in it");
}

std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

TEST_F(report_file, keeps_the_old_one_when_the_disk_is_full) {
  write_report(example_report(), path_);
  // A limit on file sizes ends a write half-way, as a full disk does.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string said = failure([&] { write_report(report(example_report()), path_); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(said, path_.string() + " can't be written: File too large");
  EXPECT_EQ(read_report(path_), example_report());
  EXPECT_EQ(files(), 1u);
}

TEST_F(report_file, keeps_the_old_one_when_the_report_is_wrong) {
  write_report(example_report(), path_);
  report wrong = example_report();
  wrong.cells.push_back(wrong.cells[0]);
  EXPECT_THROW(write_report(wrong, path_), std::invalid_argument);
  EXPECT_EQ(read_report(path_), example_report());
}

TEST_F(report_file, says_when_the_folder_is_missing_or_the_place_taken) {
  const fs::path nowhere = folder_ / "missing" / "report.json";
  EXPECT_EQ(failure([&] { write_whole_file(nowhere, "x"); }),
            nowhere.string() + " can't be written: No such file or directory");
  fs::create_directory(path_);
  EXPECT_EQ(failure([&] { write_whole_file(path_, "x"); }),
            path_.string() + " is no regular file: name one that may be written, or a new one");
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace ithaca::reports
