#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reports/markdown_summary.hpp"
#include "validation/unit/reports_example.hpp"
#include "validation/unit/reports_made.hpp"

namespace ithaca::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

/// What is seen before anything is unfolded.
std::string unfolded(const std::string& text) { return text.substr(0, text.find("<details>")); }

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST(markdown_summary, begins_with_the_verdict_and_the_state) {
  const std::string text = markdown_summary(
      made_report({{"nccl", hundred}, {"copy-engine", fifty}, {"nccl-again", hundred}}));
  EXPECT_THAT(text, testing::StartsWith(
                        "## Ithaca: scatter\n\n**Quickest, or not told from it: copy-engine in 1 "
                        "of 1 scenario. Decided against nccl: 1 of 1.**\n"));
  EXPECT_THAT(unfolded(text), HasSubstr("- The run is complete: 3 of 3 cells measured.\n"));
  EXPECT_THAT(unfolded(text), HasSubstr("| a bf16 U2 isolated | copy-engine | 50.00 | 2."));
  EXPECT_THAT(text, HasSubstr("| copy-engine | 50.00 | "));
}

TEST(markdown_summary, stays_within_60_lines_before_it_is_unfolded) {
  report made = made_report({{"nccl", hundred}, {"copy-engine", fifty}, {"nccl-again", hundred}});
  const std::vector<cell> one = made.cells;
  for (int at = 1; at < 100; ++at) {
    for (cell each : one) {
      each.key.shape = "shape-" + std::to_string(at);
      made.cells.push_back(each);
    }
  }
  const std::string text = markdown_summary(made);
  EXPECT_LE(line_count(unfolded(text)), 60u);
  EXPECT_THAT(text, HasSubstr("<summary>70 more scenarios</summary>"));
  EXPECT_LT(text.size(), 65536u) << "more than a comment on GitHub can hold";
}

TEST(markdown_summary, marks_the_device_at_its_numbers) {
  report made = made_report({{"nccl", hundred}, {"copy-engine", fifty}});
  made.machine.device = "host";
  made.run.note = note_on_times("host");
  EXPECT_THAT(markdown_summary(made), HasSubstr("| time on the host device, us |"));
  EXPECT_THAT(markdown_summary(made), HasSubstr("**Caution:** Measured on the host device"));
}

TEST(markdown_summary, names_what_was_skipped_and_refuted) {
  const std::string text = markdown_summary(example_report());
  EXPECT_THAT(text, HasSubstr("- mpi skipped: this MPI can't read device memory\n"));
  EXPECT_THAT(text, HasSubstr("- nccl-zero-cta refuted: rank 1 ran the kernel"));
}

TEST(markdown_summary, lets_no_text_become_markup) {
  report made = example_report();
  made.cells[3].reason = "<img src=x> | **bold** [link](x)\nnext `code`";
  EXPECT_THAT(markdown_summary(made),
              HasSubstr("\\<img src=x\\> \\| \\*\\*bold\\*\\* \\[link\\](x) next \\`code\\`"));
}

}  // namespace
}  // namespace ithaca::reports
