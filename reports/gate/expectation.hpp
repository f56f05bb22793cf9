#pragma once

#include <string>
#include <vector>

#include "reports/json.hpp"

namespace ithaca::reports::gate {

/// What a baseline expects of one metric of one cell. Errors are standard errors of logarithms.
struct expectation {
  double value = 0;                ///< the geometric mean of the launches
  std::vector<double> launches;    ///< what each of them had
  int rounds = 0;                  ///< in one launch, at least 2
  double round_error = 0;          ///< of one round: that of n rounds is it over sqrt(n)
  double launch_error = 0;         ///< what launches differ by, beside that
  double margin = 0;               ///< which a change must exceed: 0.05 is 5 %
  double detectable_slowdown = 0;  ///< the smallest that one launch like these would show
  bool operator==(const expectation&) const = default;
};

/// Of the estimate of its noise between rounds.
double degrees_of_freedom(const expectation& of);
/// Whether its noise asks for a wider margin than `largest_margin`.
bool is_too_noisy(const expectation& of);

json to_json(const expectation& from);
/// Throws `std::invalid_argument`, naming `place`, for what is no expectation.
expectation expectation_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports::gate
