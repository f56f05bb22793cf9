#pragma once

#include "kernels/element_pattern.hpp"

namespace ithaca::kernels {

/// How far a value may lie from the expected one: at most relative * max(|value|, |expected|) +
/// absolute. Equal values always match, infinite ones only equal ones, a NaN nothing. Without
/// tolerance only equal values match (0 and -0 are equal).
struct bf16_tolerance {
  float relative = 0;  ///< in [0, 1)
  float absolute = 0;  ///< >= 0, finite

  /// In double precision, where the product of a float and a bf16 is exact: whether it is
  /// contracted with the sum makes no difference, so every device judges alike.
  ITHACA_HOST_DEVICE bool accepts(float value, float expected) const {
    if (value == expected) return true;
    const double difference = double{value} - double{expected};
    const double size =
        magnitude(value) > magnitude(expected) ? magnitude(value) : magnitude(expected);
    const double bound = double{relative} * size + double{absolute};
    return magnitude(difference) <= bound && bound < 1e300;  // finite floats stay far below
  }

 private:
  ITHACA_HOST_DEVICE static double magnitude(double value) { return value < 0 ? -value : value; }
};

}  // namespace ithaca::kernels
