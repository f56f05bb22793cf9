#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/contender.hpp"
#include "kernels/check.hpp"
#include "reports/cell_inputs.hpp"
#include "traces/claim.hpp"

namespace ithaca::bench {

/// A scenario made ready to run: its sources, and every entrant with its targets. Frees them all
/// when it goes.
class prepared_scenario {
 public:
  virtual ~prepared_scenario() = default;

  std::vector<std::unique_ptr<contender>>& contenders() { return contenders_; }

  /// What the checks found since the last reset. The streams that ran them must be idle.
  virtual kernels::check_result findings() const = 0;
  virtual void reset_findings() = 0;
  /// How many exchanges of one sample are checked.
  virtual std::uint64_t checked_exchanges(exchange_mode /*mode*/) const { return 1; }
  /// Target bytes that the checks of one exchange in that mode compare on this rank.
  virtual std::uint64_t checked_bytes(exchange_mode mode) const = 0;

  /// What is known of a contender's cell before its first sample, as the metrics need it. The
  /// contender is ready and has warmed up. Collective over the world.
  virtual reports::cell_inputs facts(contender& who, exchange_mode mode,
                                     std::uint64_t iteration) = 0;
  /// What `who` says that group rank `rank` does in one sample of that mode, not pipelined, if it
  /// goes this way.
  virtual traces::claim claim(const contender& who, exchange_mode mode, int rank,
                              std::string_view way) const = 0;

 protected:
  std::vector<std::unique_ptr<contender>> contenders_;
};

}  // namespace ithaca::bench
