#pragma once

#include <stdexcept>

namespace ithaca::kernels {

/// A kernel could not be launched; the message names it and the reason.
class launch_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ithaca::kernels
