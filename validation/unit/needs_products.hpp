#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels/matmul.hpp"

namespace ithaca {

/// Tests that are skipped where the host has no matrix products.
class needs_products : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = kernels::why_no_matmul_on_host(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }
};

}  // namespace ithaca
