#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "bench/interference/beside.hpp"
#include "bench/scenario.hpp"
#include "bench/stage/stage_sizes.hpp"
#include "bench/stage/stage_workload.hpp"
#include "bench/subject.hpp"

namespace ithaca::bench {

/// A scenario in which an exchange runs beside a computation, each as often as it takes. The
/// schedule of an entrant is what is computed.
class prepared_interference final : public prepared_scenario {
 public:
  /// As `subject::prepare`.
  prepared_interference(const scenario& what, const std::vector<entrant>& entrants,
                        ulysses_site& site, group& world, start_gate& gate);
  /// Exchangers go before what they send.
  ~prepared_interference() override { contenders_.clear(); }

  kernels::check_result findings() const override { return load_->findings(); }
  void reset_findings() override { load_->reset_findings(); }
  // Of a sample's exchanges, the last is checked.
  std::uint64_t checked_bytes(exchange_mode mode) const override;
  reports::cell_inputs facts(contender& who, exchange_mode mode, std::uint64_t iteration) override;
  traces::claim claim(const contender& who, exchange_mode mode, int rank,
                      std::string_view way) const override;

 private:
  group& world_;
  stage_sizes sizes_;
  std::array<std::int64_t, all_beside.size()> computations_{};  // of a sample
  std::unique_ptr<stage_workload> load_;
  shared_exchangers exchangers_;
};

/// `ithaca-bench interference`.
extern const subject interferences;

}  // namespace ithaca::bench
