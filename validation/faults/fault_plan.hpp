#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ithaca::validation {

/// Where a rank fails.
enum class fault_point {
  prepare_before,     ///< at the call of `prepare`
  prepare_within,     ///< where `prepare` allocates: peers wait in its collective calls
  before_exchange,    ///< at the first submit
  within_exchange,    ///< behind the first submit
  after_last_submit,  ///< before the wait
  gather,             ///< behind the first submit of the output's exchange
  release,            ///< instead of giving the first target back
};

/// How it fails: killed and stopped by SIGKILL and SIGSTOP, or by an exception of its own.
enum class fault_kind { none, kill, stop, raise };

/// The names that people type, in the order of the enumerators.
inline const std::vector<std::string> fault_point_names = {
    "prepare-before",    "prepare-within", "before-exchange", "within-exchange",
    "after-last-submit", "gather",         "release"};
inline const std::vector<std::string> fault_kind_names = {"none", "kill", "stop", "throw"};

/// What is to fail, where.
struct fault_plan {
  fault_point at = fault_point::within_exchange;
  fault_kind how = fault_kind::none;
  int rank = 0;
  std::int64_t exchange = 1;  ///< from 1; means nothing to points of `prepare`
};

}  // namespace ithaca::validation
