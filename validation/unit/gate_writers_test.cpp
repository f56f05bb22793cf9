#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>
#include <string>

#include "reports/gate/writers.hpp"
#include "validation/unit/gate_fixture.hpp"

namespace ithaca::reports::gate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// One finding of every kind that fits into one run, and text that no format may take as it is.
result mixed_result() {
  report run = fourth_launch(1.1);
  arm_of(run, "push").counts.kernels["<\"&'%\x01\n:,"] = 1;
  arm_of(run, "nccl").counts.peer_copies = 5;
  return judged(run);
}

TEST(gate_text, begins_with_the_verdict) {
  const std::string text = as_text(mixed_result(), {});
  EXPECT_THAT(text, StartsWith("fail: 2 ratios and 33 counts against baseline.json\n"));
  EXPECT_THAT(text, HasSubstr("  worse: scatter cuda shape bf16 U2 exchange copy-engine isolated "
                              "speedup slower by +"));
  EXPECT_THAT(text, HasSubstr("  improved: "));
  EXPECT_THAT(text, HasSubstr("A/A, the reference again"));
  EXPECT_THAT(text, HasSubstr("Slowdowns that would show: from "));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(as_text(mixed_result(), {.colour = true}), StartsWith("\x1b[31mfail\x1b[0m: "));
  EXPECT_EQ(as_text(mixed_result(), {.quiet = true}),
            "fail: 2 ratios and 33 counts against baseline.json\n");
}

TEST(gate_json, holds_everything) {
  const json all = json::parse(as_json(mixed_result()));
  EXPECT_EQ(all["verdict"], "fail");
  EXPECT_EQ(all["exit_code"], 1);
  EXPECT_EQ(all["reports"][0], "report.json");
  EXPECT_EQ(all["comparisons"].size(), 2u);
  EXPECT_EQ(all["comparisons"][0]["arm"], "copy-engine");
  EXPECT_NEAR(all["comparisons"][0]["slowdown"], 0.1, 0.005);
  EXPECT_EQ(all["comparisons"][0]["outcome"], "worse");
  EXPECT_GT(all["comparisons"][1]["detectable_slowdown"], 0.025);
  EXPECT_EQ(all["noise_floors"].size(), 1u);
  EXPECT_EQ(all["findings"][0]["kind"], "worse");
  EXPECT_EQ(json::parse(as_json(refused("b", {"r"}, "why")))["findings"][0]["message"], "why");
}

TEST(gate_junit, is_xml_that_counts_what_fails) {
  boost::property_tree::ptree read;
  std::istringstream text(as_junit(mixed_result()));
  ASSERT_NO_THROW(boost::property_tree::read_xml(text, read));
  const auto& suite = read.get_child("testsuites.testsuite");
  EXPECT_EQ(suite.get<int>("<xmlattr>.failures"), 2);
  EXPECT_EQ(suite.get<int>("<xmlattr>.errors"), 0);
  int cases = 0, failures = 0;
  std::string names;
  for (const auto& [name, each] : suite) {
    if (name != "testcase") continue;
    ++cases;
    names += each.get<std::string>("<xmlattr>.name");
    failures += static_cast<int>(each.count("failure"));
  }
  EXPECT_EQ(cases, suite.get<int>("<xmlattr>.tests"));
  EXPECT_EQ(failures, 2);
  EXPECT_THAT(names, HasSubstr("kernels.<\"&'%  :,")) << "what XML can't hold becomes a space";
  std::istringstream invalid(as_junit(refused("b", {"r"}, "why")));
  boost::property_tree::read_xml(invalid, read);
  EXPECT_EQ(read.get<int>("testsuites.testsuite.<xmlattr>.errors"), 1);
}

TEST(gate_github, is_a_command_for_each_finding) {
  const std::string text = as_github(mixed_result());
  EXPECT_THAT(text, HasSubstr("::error title=scatter cuda shape bf16 U2 exchange copy-engine "
                              "isolated speedup::worse: slower by "));
  EXPECT_THAT(text, HasSubstr("kernels.<\"&'%25\x01%0A%3A%2C::worse: 1 where 0"));
  EXPECT_THAT(text, HasSubstr("::notice title=scatter"));
  EXPECT_THAT(text, HasSubstr("::error title=ithaca-gate::fail: "));
  EXPECT_THAT(as_github(judged(fourth_launch())), StartsWith("::notice title=ithaca-gate::pass: "));
}

TEST(verdict, is_invalid_where_nothing_was_compared) {
  EXPECT_EQ(verdict_of(result{"b", {"r"}}), verdict::invalid);
}

}  // namespace
}  // namespace ithaca::reports::gate
