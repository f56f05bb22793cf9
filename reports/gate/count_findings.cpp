#include "reports/gate/count_findings.hpp"

#include <fmt/format.h>

#include <set>
#include <string>

namespace ithaca::reports::gate {

std::vector<finding> compare_counts(const cell_key& of, const exact_counts& seen,
                                    const exact_counts& expected) {
  std::set<std::string> names;
  for (const auto& [name, unused] : seen) names.insert(name);
  for (const auto& [name, unused] : expected) names.insert(name);
  const auto count = [](const exact_counts& in, const std::string& name) {
    const auto found = in.find(name);
    return found == in.end() ? 0 : found->second;
  };
  std::vector<finding> all;
  for (const std::string& name : names) {
    const std::uint64_t is = count(seen, name);
    const std::uint64_t was = count(expected, name);
    if (is == was) continue;
    // Fewer bytes are not quicker: they are not all of them.
    const bool is_worse = is > was || name.ends_with("bytes");
    all.push_back({is_worse ? finding_kind::worse : finding_kind::improved, of, name,
                   fmt::format("{} where {} are expected", is, was)});
  }
  return all;
}

}  // namespace ithaca::reports::gate
