#include "reports/gate/verdict.hpp"

#include <algorithm>
#include <utility>

#include "reports/console/exit_codes.hpp"

namespace ithaca::reports::gate {

std::string_view to_string(finding_kind of) {
  switch (of) {
    case finding_kind::invalid:
      return "invalid";
    case finding_kind::worse:
      return "worse";
    case finding_kind::ambiguous:
      return "ambiguous";
    case finding_kind::improved:
      return "improved";
    case finding_kind::too_noisy:
      break;
  }
  return "too noisy";
}

std::string_view to_string(verdict of) {
  switch (of) {
    case verdict::pass:
      return "pass";
    case verdict::fail:
      return "fail";
    case verdict::invalid:
      return "invalid";
    case verdict::ambiguous:
      break;
  }
  return "ambiguous";
}

int exit_code(verdict of) {
  switch (of) {
    case verdict::pass:
      return console::good;
    case verdict::fail:
      return console::check_failed;
    case verdict::invalid:
      return console::bad_use;
    case verdict::ambiguous:
      break;
  }
  return console::ambiguous;
}

verdict verdict_of(const result& of) {
  const auto has = [&](finding_kind kind) {
    return std::ranges::find(of.findings, kind, &finding::kind) != of.findings.end();
  };
  if (has(finding_kind::invalid)) return verdict::invalid;
  if (of.comparisons.empty() && of.counts_compared == 0) return verdict::invalid;
  if (has(finding_kind::worse)) return verdict::fail;
  return has(finding_kind::ambiguous) ? verdict::ambiguous : verdict::pass;
}

result refused(std::string baseline, std::vector<std::string> reports, std::string why) {
  result of{std::move(baseline), std::move(reports)};
  of.findings.push_back({finding_kind::invalid, std::nullopt, "", std::move(why)});
  return of;
}

}  // namespace ithaca::reports::gate
