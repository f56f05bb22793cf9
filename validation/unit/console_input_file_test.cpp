#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/console/input_file.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::console {
namespace {

using testing::HasSubstr;

class input_file : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& bytes) {
    const std::filesystem::path path = folder_.path() / "input";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::string why_not(const std::filesystem::path& path, std::size_t most = most_input_bytes) {
    try {
      read_input(path, most);
    } catch (const std::invalid_argument& refused) {
      EXPECT_THAT(refused.what(), HasSubstr(path.string() + ": "));
      return refused.what();
    }
    return "";
  }

  temporary_folder folder_;
};

/// "trace\n", by gzip -n.
const std::string packed(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x2b\x29\x4a\x4c\x4e\xe5\x02\x00"
    "\x38\xce\x37\x93\x06\x00\x00\x00",
    26);

TEST_F(input_file, is_read_as_it_is) {
  EXPECT_EQ(read_input(file("")), "");
  EXPECT_EQ(read_input(file("{}\n")), "{}\n");
  const std::string large(5'000'000, 'x');
  EXPECT_EQ(read_input(file(large)), large);
}

TEST_F(input_file, is_no_output_under_any_name) {
  const std::filesystem::path input = file("{}");
  const std::filesystem::path link = folder_.path() / "link";
  std::filesystem::create_symlink(input, link);
  const std::vector<std::string> inputs = {"/absent", input.string()};
  EXPECT_THROW(refuse_overwriting(input, inputs), std::invalid_argument);
  EXPECT_THROW(refuse_overwriting(link, inputs), std::invalid_argument);
  EXPECT_NO_THROW(refuse_overwriting(folder_.path() / "new", inputs));
}

TEST_F(input_file, that_can_not_be_one_is_refused_with_the_reason) {
  EXPECT_THAT(why_not(folder_.path() / "none"), HasSubstr("no such file"));
  EXPECT_THAT(why_not(folder_.path()), HasSubstr("is a folder"));
  const std::filesystem::path pipe = folder_.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(why_not(pipe), HasSubstr("no regular file"));
  EXPECT_THAT(why_not(file("12345"), 4), HasSubstr("more than 4 bytes"));
  EXPECT_EQ(why_not(file("1234"), 4), "");
}

#ifdef ITHACA_WITH_ZLIB

/// A thousand letters, by gzip.
const std::string small_for_much(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\xa8\x18\x05\xa3\x60\x14\x0c\x77\x00\x00\xe6\xc9"
    "\x41\x3b\xe8\x03\x00\x00",
    29);

TEST_F(input_file, is_unpacked_by_what_it_holds) {
  EXPECT_EQ(read_input(file(packed)), "trace\n");
  EXPECT_EQ(read_input(file(packed + packed)), "trace\ntrace\n") << "gzip's files can be appended";
}

TEST_F(input_file, that_is_damaged_is_refused) {
  for (std::size_t length = 2; length < packed.size(); ++length) {
    EXPECT_THAT(why_not(file(packed.substr(0, length))), HasSubstr("ends too early")) << length;
  }
  std::string wrong = packed;
  wrong[20] ^= 1;  // in the check sum
  EXPECT_THAT(why_not(file(wrong)), HasSubstr("is damaged"));
  EXPECT_THAT(why_not(file(packed + "rest")), HasSubstr("is damaged"));
  EXPECT_THAT(why_not(file("\x1f\x8bgarbage that is no gzip")), HasSubstr("is damaged"));
}

TEST_F(input_file, that_unpacks_to_too_much_is_refused) {
  EXPECT_THAT(why_not(file(small_for_much), 999), HasSubstr("unpacks to more than 999 bytes"));
  EXPECT_EQ(why_not(file(small_for_much), 1000), "");
}

#else

TEST_F(input_file, that_is_packed_needs_zlib) {
  EXPECT_THAT(why_not(file(packed)), HasSubstr("no zlib"));
}

#endif

}  // namespace
}  // namespace ithaca::console
