#pragma once

#include <string>

#include "backend/errors.hpp"

namespace ithaca {

/// What a broken exchange said, or "no failure".
std::string failure_of(const auto& action) {
  try {
    action();
  } catch (const exchange_broken& failure) {
    return failure.what();
  }
  return "no failure";
}

}  // namespace ithaca
