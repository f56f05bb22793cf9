#pragma once

#include <chrono>
#include <memory>
#include <optional>
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

/// The caller's streams that an exchange uses, by number: 0 is `compute()`, others are made when
/// they are first used.
struct exchange_lanes {
  std::size_t fill = 0;                  ///< makes the sources
  std::vector<std::size_t> submit = {};  ///< by place among the tags; those beyond: as `fill`
  std::size_t read = 0;                  ///< waits, checks, poisons, releases
};

/// An exchanger with a workload and streams, ready for checked exchanges.
class exchange_rig {
 public:
  /// Collective. The exchanger's targets for `specs` are prepared.
  exchange_rig(contract_site& site, std::vector<tensor_spec> specs,
               bench::projection projected = bench::projection::split);

  /// One exchange of the tensors `tags` (by place among the specs; none: all) with the contents
  /// of `iteration`: fills, stages, submits, waits, checks right behind the wait, poisons,
  /// releases. Does not wait on the host. Of other exchanges nothing is awaited but what the
  /// contract leaves to its caller: that a source is filled on one stream before it is submitted on
  /// another, and not filled again before the wait.
  void exchange(std::uint64_t iteration, const exchange_pace& pace = {},
                std::vector<std::size_t> tags = {}, const exchange_lanes& lanes = {});

  /// What the caller owes an exchanger that leaves guarantee 3 to it, between two exchanges; with
  /// others nothing. Collective.
  void keep_apart();

  /// Waits for the device; throws `exchange_broken` at the group's deadline.
  void finish();
  /// Waits, and says how many bytes of all checks so far were wrong, on all ranks. Collective.
  std::int64_t mismatched_bytes();

  exchanger& transport() { return *exchanger_; }
  stream& compute() { return lane(0); }
  bench::workload& load() { return load_; }
  /// Targets of the last exchange, in the order of its tags.
  const std::vector<target_view>& arrived() const { return arrived_; }

 private:
  /// Streams of one name, since it tells a caller's from the exchanger's.
  stream& lane(std::size_t number);
  /// Orders `behind` after what `first` holds so far.
  void order(stream& first, stream& behind);

  contract_site& site_;
  bench::workload load_;
  std::unique_ptr<exchanger> exchanger_;
  std::vector<std::unique_ptr<stream>> lanes_;
  std::unique_ptr<event> mark_;
  std::unique_ptr<event> waited_;           // of the last exchange: its sources are free
  std::optional<std::size_t> waited_on_{};  // lane; empty before the first exchange
  std::vector<target_view> arrived_;
};

}  // namespace ithaca::validation
