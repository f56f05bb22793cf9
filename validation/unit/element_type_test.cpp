#include "backend/element_type.hpp"

#include <gtest/gtest.h>

namespace ithaca {
namespace {

TEST(element_type, has_a_name_and_a_size) {
  EXPECT_EQ(size_bytes(element_type::bf16), 2u);
  EXPECT_EQ(size_bytes(element_type::fp16), 2u);
  EXPECT_EQ(size_bytes(element_type::fp32), 4u);
  EXPECT_EQ(size_bytes(element_type::fp8), 1u);
  for (const char* name : {"bf16", "fp16", "fp32", "fp8"}) {
    ASSERT_TRUE(parse_element_type(name)) << name;
    EXPECT_EQ(to_string(*parse_element_type(name)), name);
  }
}

TEST(element_type, is_not_parsed_from_other_texts) {
  for (const char* name : {"", "BF16", "bf16 ", "bf1", "int8"}) {
    EXPECT_FALSE(parse_element_type(name)) << name;
  }
}

}  // namespace
}  // namespace ithaca
