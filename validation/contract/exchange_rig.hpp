#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "bench/workload.hpp"
#include "validation/contract/contract_site.hpp"

namespace ithaca::validation {

/// What a rank does beside an exchange; delays are times on its stream.
struct exchange_pace {
  std::chrono::nanoseconds before_submit{0};  ///< the source is not ready before
  std::chrono::nanoseconds between_tags{0};   ///< work between two submits
  std::chrono::nanoseconds before_check{0};   ///< the reader is slow to read what arrived
  std::int64_t pieces = 1;                    ///< submits of the first tag, by rows
};

/// An exchanger with a workload and a stream, ready for checked exchanges.
class exchange_rig {
 public:
  /// Collective. The exchanger's targets for `specs` are prepared.
  exchange_rig(contract_site& site, std::vector<tensor_spec> specs,
               bench::projection projected = bench::projection::split);

  /// One exchange of the tensors `tags` (by place among the specs; none: all) with the contents
  /// of `iteration`: fills, stages, submits, waits, checks right behind the wait, poisons,
  /// releases. Does not wait on the host.
  void exchange(std::uint64_t iteration, const exchange_pace& pace = {},
                std::vector<std::size_t> tags = {});

  /// Waits for the device; throws `exchange_broken` at the group's deadline.
  void finish();
  /// Waits, and says how many bytes of all checks so far were wrong, on all ranks. Collective.
  std::int64_t mismatched_bytes();

  exchanger& transport() { return *exchanger_; }
  stream& compute() { return *compute_; }
  bench::workload& load() { return load_; }
  /// Targets of the last exchange, in the order of its tags.
  const std::vector<target_view>& arrived() const { return arrived_; }

 private:
  void delay(std::chrono::nanoseconds time);

  contract_site& site_;
  bench::workload load_;
  std::unique_ptr<exchanger> exchanger_;
  std::unique_ptr<stream> compute_;
  std::vector<target_view> arrived_;
};

}  // namespace ithaca::validation
