#include "bench/shape.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "backend/errors.hpp"
#include "bench/shape_catalog.hpp"
#include "bench/shape_choice.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::bench {
namespace {

namespace fs = std::filesystem;

std::string refusal(const auto& action) {
  try {
    action();
  } catch (const invalid_use& error) {
    return error.what();
  }
  return "accepted";
}

TEST(shape, is_parsed_from_four_numbers) {
  const shape parsed = parse_shape("2,18944,28,128");
  EXPECT_EQ(parsed.name, "2x18944x28x128");
  EXPECT_EQ(parsed.batch, 2);
  EXPECT_EQ(parsed.tokens, 18944);
  EXPECT_EQ(parsed.heads, 28);
  EXPECT_EQ(parsed.kv_heads, 28);
  EXPECT_EQ(parsed.head_dim, 128);
  EXPECT_EQ(parsed.hidden, 28 * 128);
}

TEST(shape, is_refused_unless_it_is_four_positive_numbers) {
  for (const char* text : {"", "1", "1,2,3", "1,2,3,4,5", "1,2,3,4,", "1,2,3,x", "1;2;3;4",
                           " 1,2,3,4", "1,,3,4", "1,2,3,99999999999999999999"}) {
    EXPECT_NE(refusal([&] { parse_shape(text); }).find("give batch,tokens,heads,head size"),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(refusal([] { parse_shape("1,2,0,4"); }), "shape '1x2x0x4': heads is 0, not positive");
  EXPECT_EQ(refusal([] { parse_shape("-1,2,3,4"); }),
            "shape '-1x2x3x4': batch is -1, not positive");
}

TEST(shape, is_refused_when_its_bytes_overflow) {
  // 2^59 elements at 16 bytes are 2^63 bytes, one more than a signed number holds.
  EXPECT_EQ(refusal([] { parse_shape("2,536870912,536870912,1"); }),
            "shape '2x536870912x536870912x1': its bytes overflow 63 bits");
  EXPECT_EQ(refusal([] { parse_shape("1,536870912,536870912,1"); }), "accepted");
}

/// A file of shapes that lives as long as the test.
class shape_file : public testing::Test {
 protected:
  shape_catalog load(const std::string& text) const {
    std::ofstream(file_) << text;
    return shape_catalog::load(file_);
  }
  /// The refusal of a file that holds `shapes`, without the file's name, which it must begin with.
  std::string refusal_of(const std::string& shapes) const {
    const std::string said = refusal([&] { load("{\"shapes\": [" + shapes + "]}"); });
    EXPECT_TRUE(said.starts_with(file_.string() + ": ")) << said;
    return said.substr(std::min(said.size(), file_.string().size() + 2));
  }

  temporary_folder folder_;
  fs::path file_ = folder_ / "shapes.json";
};

TEST_F(shape_file, fills_in_what_is_left_out) {
  const shape only =
      load(R"({"shapes": [{"name": "a", "tokens": 64, "heads": 8, "head_dim": 16}]})").shapes()[0];
  EXPECT_EQ(only, (shape{.name = "a",
                         .batch = 1,
                         .tokens = 64,
                         .heads = 8,
                         .kv_heads = 8,
                         .head_dim = 16,
                         .hidden = 128,
                         .qk_norm = "none",
                         .qkv_projection = "split",
                         .verified = false}));
}

TEST_F(shape_file, reads_every_field) {
  const shape only = load(R"({"note": "n", "shapes": [{"name": "a", "batch": 2, "tokens": 64,
      "heads": 8, "kv_heads": 4, "head_dim": 16, "hidden": 100, "qk_norm": "per-head RMSNorm",
      "qkv_projection": "fused", "verified": true, "tokens_note": "t", "source": "s", "layers": 3,
      "steps": 4}]})")
                         .shapes()[0];
  EXPECT_EQ(only, (shape{"a", 2, 64, 8, 4, 16, 100, "per-head RMSNorm", "fused", true, "t", "s"}));
}

TEST_F(shape_file, is_refused_with_shape_and_field) {
  EXPECT_EQ(refusal_of(R"({"tokens": 64, "heads": 8, "head_dim": 16})"), "shapes[0] lacks 'name'");
  EXPECT_EQ(refusal_of(R"({"name": "a", "heads": 8, "head_dim": 16})"),
            "shapes[0] 'a' lacks 'tokens'");
  EXPECT_EQ(refusal_of(R"({"name": "a", "tokens": 6.5, "heads": 8, "head_dim": 16})"),
            "shapes[0] 'a' has a 'tokens' that is no whole number");
  EXPECT_EQ(refusal_of(R"({"name": "a", "tokens": "6", "heads": 8, "head_dim": 16})"),
            "shapes[0] 'a' has a 'tokens' that is no whole number");
  EXPECT_EQ(
      refusal_of(R"({"name": "a", "tokens": 18446744073709551615, "heads": 8, "head_dim": 1})"),
      "shapes[0] 'a' has a 'tokens' that is too large");
  EXPECT_EQ(refusal_of(R"({"name": "a", "token": 6, "tokens": 6, "heads": 8, "head_dim": 16})"),
            "shapes[0] 'a' has an unknown field 'token'; did you mean 'tokens'?");
  EXPECT_EQ(refusal_of(R"({"name": "a", "tokens": 0, "heads": 8, "head_dim": 16})"),
            "shape 'a': tokens is 0, not positive");
  EXPECT_EQ(refusal_of(R"({"name": "a", "tokens": 6, "heads": 8, "kv_heads": 3, "head_dim": 16})"),
            "shape 'a': kv_heads is 3, which does not divide 8 heads");
  EXPECT_EQ(refusal_of(R"({"name": "a", "tokens": 6, "heads": 8, "head_dim": 1, "verified": 1})"),
            "shapes[0] 'a' has a 'verified' that is not true or false");
  EXPECT_EQ(refusal_of(R"({"name": "a", "tokens": 6, "heads": 8, "head_dim": 1, "source": 1})"),
            "shapes[0] 'a' has a 'source' that is no text");
  EXPECT_NE(refusal_of(R"({"name": "a", "tokens": 6, "heads": 8, "head_dim": 1, "qk_norm": "x"})")
                .find("qk_norm is 'x'"),
            std::string::npos);
  EXPECT_NE(refusal_of(R"({"name": "a", "tokens": 6, "heads": 8, "head_dim": 1,
                           "qkv_projection": "x"})")
                .find("qkv_projection is 'x'"),
            std::string::npos);
  EXPECT_EQ(refusal_of("7"), "shapes[0] is no object");
}

TEST_F(shape_file, is_refused_when_a_name_occurs_twice) {
  const std::string one = R"({"name": "a", "tokens": 64, "heads": 8, "head_dim": 16})";
  EXPECT_EQ(refusal_of(one + "," + one), "shapes[1] 'a' has a name that occurs before");
  EXPECT_EQ(refusal_of(R"({"name": "all", "tokens": 64, "heads": 8, "head_dim": 16})"),
            "shapes[0]: 'all' can't name a shape");
}

TEST_F(shape_file, is_refused_when_it_holds_no_shapes) {
  const std::string none = file_.string() + " holds no list of \"shapes\"";
  for (const char* text : {"{}", "[]", "{\"shapes\": 3}", "{\"shapes\": []}"}) {
    EXPECT_EQ(refusal([&] { load(text); }), none) << text;
  }
  EXPECT_NE(refusal([&] { load("{\n\"shapes\": [}"); }).find("line 2"), std::string::npos);
  EXPECT_NE(refusal([&] { load("{\"shapes\": [1e999]}"); }).find("a number that is too large"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { shape_catalog::load(folder_ / "none.json"); }),
            (folder_ / "none.json").string() + " can't be read: No such file or directory");
  EXPECT_EQ(refusal([&] { shape_catalog::load(folder_.path()); }),
            folder_.path().string() + " is a folder: give a file of shapes");
}

TEST(models, are_read_and_found_by_name) {
  const shape_catalog models = shape_catalog::load(scenarios_file({}));
  EXPECT_EQ(models.shapes().size(), 23u);
  const shape& h3 = models.find("minimax-h3-ablation-tp2-u2");
  EXPECT_EQ(h3.tokens, 18944);
  EXPECT_EQ(h3.heads, 28);
  EXPECT_EQ(h3.qkv_projection, "fused");
  EXPECT_EQ(models.find("llama-3-70b-128k").kv_heads, 8);
  EXPECT_EQ(refusal([&] { models.find("wan2.1-14b-702p"); }),
            "there is no shape 'wan2.1-14b-702p'; did you mean 'wan2.1-14b-720p'?");
}

TEST(choose_shapes, takes_the_named_ones_then_ones_own) {
  const shape_catalog models = shape_catalog::load(scenarios_file({}));
  exchange_options options;
  options.shapes = {"gqa-28-7"};
  options.own_shapes = {parse_shape("1,2,3,4")};
  const auto chosen = choose_shapes(options, models);
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].chosen.name, "gqa-28-7");
  EXPECT_EQ(chosen[1].chosen.name, "1x2x3x4");
  EXPECT_TRUE(chosen[0].by_name && chosen[1].by_name);
  options.shapes = {};
  EXPECT_EQ(choose_shapes(options, models).size(), 1u);
}

TEST(choose_shapes, knows_what_came_from_a_set) {
  const shape_catalog models = shape_catalog::load(scenarios_file({}));
  exchange_options options;
  EXPECT_EQ(choose_shapes(options, models).size(), default_shapes.size());
  EXPECT_FALSE(choose_shapes(options, models)[0].by_name);
  options.shapes = {"gqa-28-7", "all"};
  const auto all = choose_shapes(options, models);
  EXPECT_EQ(all.size(), models.shapes().size());
  EXPECT_TRUE(all[0].by_name);
  EXPECT_FALSE(all[1].by_name);
}

TEST_F(shape_file, of_ones_own_is_taken_whole) {
  const shape_catalog mine =
      load(R"({"shapes": [{"name": "a", "tokens": 64, "heads": 8, "head_dim": 16}]})");
  exchange_options options;
  options.scenarios = file_;
  EXPECT_EQ(scenarios_file(options), file_);
  ASSERT_EQ(choose_shapes(options, mine).size(), 1u);
  options.shapes = {"b"};
  EXPECT_THROW(choose_shapes(options, mine), invalid_use);
}

}  // namespace
}  // namespace ithaca::bench
