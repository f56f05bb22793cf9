#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "traces/opened_trace.hpp"

namespace ithaca::traces {

/// What a trace calls one thing that was done, over and over.
struct operation_name {
  std::string process;
  std::string scope;
  std::string kind;
  std::string name;
  auto operator<=>(const operation_name&) const = default;
};

struct operation_figures {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< of all together
  std::int64_t median_ns = 0;
  double share = 0;  ///< of the time of all slices of its process
};

/// One operation in two traces; empty where a trace has none.
struct operation_pair {
  operation_name name;
  std::optional<operation_figures> before;
  std::optional<operation_figures> after;

  /// Whether as many were done, with as many bytes. Ranges are worked out of times, so how many
  /// there are says nothing of what was done.
  bool same_work() const;
};

/// Every operation of two traces, sorted.
std::vector<operation_pair> diff_traces(const opened_trace& before, const opened_trace& after);

void to_json(nlohmann::json& to, const operation_pair& from);

}  // namespace ithaca::traces
