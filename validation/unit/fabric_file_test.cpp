#include "bench/fabric_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "backend/errors.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::bench {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

json shipped() {
  std::ifstream file(ITHACA_SOURCE_DIR "/backend/sim/fabrics/h200-nv18.json");
  return json::parse(file);
}

/// What the reader says of the shipped file after `change`; empty if it takes it.
std::string refusal_of(const std::function<void(json&)>& change) {
  json whole = shipped();
  change(whole);
  const temporary_folder folder;
  const std::filesystem::path file = folder / "mine.json";
  std::ofstream(file) << whole;
  try {
    read_fabric(file);
    return "";
  } catch (const invalid_use& refused) {
    return refused.what();
  }
}

TEST(fabric_file, that_is_shipped_is_read_by_its_name) {
  EXPECT_THAT(fabric_names(), Contains(std::string(default_fabric)));
  const sim::fabric_figures figures = read_fabric(default_fabric);
  EXPECT_EQ(figures.name, default_fabric);
  EXPECT_EQ(figures.port_gbps, 385);
  EXPECT_EQ(figures.first_copy_ns, 10'000);
  EXPECT_EQ(figures.signal_ns(), 4'500);
  EXPECT_EQ(figures.push_rates.size(), 3u);
}

TEST(fabric_file, of_ones_own_is_read_and_named_after_its_file) {
  EXPECT_EQ(refusal_of([](json&) {}), "");
}

TEST(fabric_file, that_does_not_exist_is_refused_with_those_that_do) {
  for (const char* name : {"h200-nv81", "no/such/file.json", "/proc"}) {
    try {
      read_fabric(name);
      FAIL() << name;
    } catch (const invalid_use& refused) {
      EXPECT_THAT(refused.what(), AllOf(HasSubstr(name), HasSubstr("h200-nv18")));
    }
  }
}

TEST(fabric_file, is_refused_with_the_place_that_is_wrong) {
  const auto figure = [](const char* name, const char* field, json value) {
    return refusal_of([=](json& whole) { whole["figures"][name][field] = value; });
  };
  EXPECT_THAT(figure("port", "value", 0), HasSubstr("figures.port.value"));
  EXPECT_THAT(figure("port", "value", "fast"), HasSubstr("figures.port.value"));
  EXPECT_THAT(figure("port", "unit", "Gb/s"), HasSubstr("figures.port.unit"));
  EXPECT_THAT(figure("next_copy", "value", -1), HasSubstr("figures.next_copy.value"));
  EXPECT_THAT(figure("next_copy", "value", 1.5), HasSubstr("figures.next_copy.value"));
  EXPECT_THAT(figure("next_copy", "source", ""), HasSubstr("figures.next_copy.source"));
  EXPECT_THAT(figure("next_copy", "guess", true), HasSubstr("guess"));
  EXPECT_THAT(refusal_of([](json& whole) { whole["figures"].erase("lanes"); }), HasSubstr("lanes"));
  EXPECT_THAT(refusal_of([](json& whole) { whole["figures"]["warp"] = 1; }), HasSubstr("warp"));
  EXPECT_THAT(refusal_of([](json& whole) { whole["figures"]["push"] = json::array(); }),
              HasSubstr("figures.push"));
  EXPECT_THAT(refusal_of([](json& whole) { whole["figures"]["push"][1]["ctas"] = 8; }),
              HasSubstr("figures.push[1].ctas"));
  EXPECT_THAT(refusal_of([](json& whole) { whole = "text"; }), HasSubstr("mine.json"));
}

TEST(fabric_file, that_is_no_json_is_refused) {
  const temporary_folder folder;
  const std::filesystem::path file = folder / "mine.json";
  std::ofstream(file) << "{";
  EXPECT_THROW(read_fabric(file), invalid_use);
}

}  // namespace
}  // namespace ithaca::bench
