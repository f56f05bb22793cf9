#include "bench/cell_comparison.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace ithaca::bench {
namespace {

measurement measured(const std::string& arm, std::int64_t ns) {
  measurement made;
  made.cell.key = {"scatter", "host", "a", "bf16", 2, "exchange", arm, "isolated"};
  made.cell.status = reports::cell_status::incomplete;
  made.inputs.degree = 2;
  made.inputs.peer_bytes = 1 << 20;
  made.inputs.source_bytes = 1 << 21;
  for (int round = 0; round < 5; ++round) made.inputs.samples.add_round({ns + round});
  return made;
}

const reports::cell& cell_of(const std::vector<measurement>& of, const char* name) {
  for (const measurement& each : of) {
    if (each.cell.key.arm == name) return each.cell;
  }
  throw std::logic_error("no such arm");
}

TEST(finish_cells, compares_each_with_the_reference) {
  std::vector<measurement> cells = {measured("nccl", 200'000), measured("push", 100'000)};
  finish_cells(cells, {"nccl"}, {});
  EXPECT_EQ(cell_of(cells, "push").status, reports::cell_status::measured);
  EXPECT_NEAR(cell_of(cells, "push").metrics.at("speedup").value, 2, 0.001);
}

TEST(finish_cells, makes_no_refuted_cell_a_reference_wherever_it_stands) {
  for (const bool wrong_is_last : {false, true}) {
    measurement wrong = measured("nccl", 200'000);
    wrong.cell.checked = {.exchanges = 5, .bytes = 100, .mismatched_bytes = 1};
    std::vector<measurement> cells = {measured("push", 100'000)};
    cells.insert(wrong_is_last ? cells.end() : cells.begin(), wrong);
    finish_cells(cells, {"nccl"}, {});
    EXPECT_EQ(cell_of(cells, "nccl").status, reports::cell_status::refuted);
    EXPECT_EQ(cell_of(cells, "push").status, reports::cell_status::measured);
    EXPECT_FALSE(cell_of(cells, "push").metrics.contains("speedup"));
  }
}

TEST(finish_cells, leaves_what_was_not_judged) {
  std::vector<measurement> cells = {measured("nccl", 200'000), measured("push", 100'000)};
  cells.back().cell.reason = "the run ended before its claim was judged";
  finish_cells(cells, {"nccl"}, {});
  EXPECT_EQ(cell_of(cells, "push").status, reports::cell_status::incomplete);
  EXPECT_TRUE(cell_of(cells, "push").metrics.empty());
}

}  // namespace
}  // namespace ithaca::bench
