#pragma once

namespace ithaca::console {

/// Exit codes of every program of Ithaca.
enum exit_code : int {
  good = 0,
  check_failed = 1,
  bad_use = 2,
  broken = 3,
  ambiguous = 4,
};

}  // namespace ithaca::console
