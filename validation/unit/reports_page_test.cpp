#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "reports/page/assets.hpp"
#include "reports/page/html_page.hpp"
#include "reports/page/page_data.hpp"
#include "validation/unit/reports_example.hpp"
#include "validation/unit/reports_made.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

json data_in(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(html_page, holds_the_figures_of_every_cell_as_the_report_does) {
  const report made = example_report();
  const json data = data_in(html_page({&made, 1}));
  ASSERT_EQ(data["reports"].size(), 1u);
  const json& cells = data["reports"][0]["cells"];
  const json written = to_json(made)["cells"];
  ASSERT_EQ(cells.size(), written.size());
  for (std::size_t at = 0; at < cells.size(); ++at) {
    EXPECT_EQ(cells[at]["metrics"], written[at]["metrics"]);
    EXPECT_EQ(cells[at]["status"], written[at]["status"]);
    EXPECT_EQ(cells[at].value("reason", ""), made.cells[at].reason.value_or(""));
  }
}

TEST(html_page, is_a_whole_document_that_asks_for_nothing) {
  const report made = example_report();
  const std::string page = html_page({&made, 1});
  EXPECT_THAT(page, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, testing::EndsWith("</html>\n"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_EQ(count(page, "</script"), 3u) << "data, library, script";
  EXPECT_THAT(page, HasSubstr(std::string(page_assets::script)));
  EXPECT_THAT(page, HasSubstr(std::string(page_assets::library)));
  for (const char* asking : {" src=", "@import", "url(", "fetch(", "XMLHttpRequest"}) {
    const std::string own = std::string(page_assets::form) + std::string(page_assets::style) +
                            std::string(page_assets::script);
    EXPECT_THAT(own, Not(HasSubstr(asking)));
  }
}

TEST(html_page, lets_no_text_of_a_report_become_code) {
  report made = example_report();
  const std::string hostile = "</script><script>alert(1)</script><!--{{style}}";
  made.cells[3].reason = hostile;
  made.run.arguments = {hostile, "\xff\xfe"};
  const std::string page = html_page({&made, 1});
  EXPECT_EQ(count(page, "</script"), 3u);
  EXPECT_EQ(count(page, "<!--"), 0u);
  EXPECT_EQ(data_in(page)["reports"][0]["cells"][3]["reason"], hostile);
}

TEST(html_page, takes_several_reports_and_ones_without_cells) {
  report empty = example_report();
  empty.cells.clear();
  empty.run.complete = false;
  const std::vector<report> both = {example_report(), empty};
  const json data = data_in(html_page(both));
  EXPECT_EQ(data["reports"].size(), 2u);
  EXPECT_TRUE(data["reports"][1]["scenarios"].empty());
}

TEST(html_page, is_written_whole) {
  const temporary_folder folder;
  const report made = example_report();
  write_html_page({&made, 1}, folder.path() / "report.html");
  std::ifstream file(folder.path() / "report.html", std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), html_page({&made, 1}));
}

TEST(page_data, keeps_500_cells_of_many_rounds_small) {
  std::vector<std::int64_t> rounds;
  for (int at = 0; at < 1000; ++at) rounds.push_back(100'000 + at * 7919 % 1000);
  report made = made_report({{"nccl", {1, 2, 3}}});
  cell many = made.cells.front();
  many.samples = samples_of(rounds);
  made.cells.clear();
  for (int at = 0; at < 500; ++at) {
    many.key.shape = "shape-" + std::to_string(at);
    made.cells.push_back(many);
  }
  const json data = page_data({&made, 1});
  EXPECT_EQ(data["reports"][0]["cells"][0]["rounds_us"].size(), 100u);
  EXPECT_EQ(data["reports"][0]["cells"][0]["samples"], 1000);
  EXPECT_LT(data.dump().size(), 5'000'000u);
}

TEST(page_data, leaves_out_discarded_rounds) {
  report made = made_report({{"nccl", {100'000, 100'000, 900'000}}});
  scenario_telemetry rounds{"a", "bf16", 2, "exchange"};
  rounds.discarded_rounds = {{2, {"thermal"}}};
  made.telemetry.scenarios = {rounds};
  const json cell = page_data({&made, 1})["reports"][0]["cells"][0];
  EXPECT_EQ(cell["quantiles_us"], json({100, 100, 100, 100, 100}));
  EXPECT_EQ(cell["rounds_us"], json({100, 100}));
}

TEST(page_data, says_of_each_scenario_what_its_clocks_did) {
  report made = example_report();
  made.telemetry.scenarios[0].discarded_rounds = {{1, {"thermal"}}};
  made.telemetry.scenarios[0].sm_drift_mhz = -15;
  const json clocks = page_data({&made, 1})["reports"][0]["clocks"];
  ASSERT_EQ(clocks.size(), 1u);
  EXPECT_EQ(clocks[0]["sm_mhz"], json({1965, 1980}));
  EXPECT_EQ(clocks[0]["sm_drift_mhz"], -15);
  EXPECT_EQ(clocks[0]["throttled_rounds"], 1);
  EXPECT_EQ(clocks[0]["discarded_rounds"], 1);
}

TEST(page_data, draws_no_curve_of_fewer_than_three_sizes) {
  report made = made_report({{"nccl", {100'000}}}, "a");
  for (const char* shape : {"b", "c"}) {
    EXPECT_TRUE(page_data({&made, 1})["reports"][0]["sweeps"].empty());
    made.cells.push_back(made_report({{"nccl", {100'000}}}, shape).cells[0]);
  }
  EXPECT_EQ(page_data({&made, 1})["reports"][0]["sweeps"].size(), 1u);
}

}  // namespace
}  // namespace ithaca::reports
