#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/scenario.hpp"
#include "bench/stage/schedule.hpp"
#include "bench/stage/stage_sizes.hpp"
#include "bench/stage/stage_workload.hpp"
#include "bench/subject.hpp"

namespace ithaca::bench {

/// A scenario in which the stage around the exchange is sampled, by the schedules of the entrants.
class prepared_stage final : public prepared_scenario {
 public:
  /// As `subject::prepare`.
  prepared_stage(const scenario& what, const std::vector<entrant>& entrants, ulysses_site& site,
                 group& world, start_gate& gate);
  /// Exchangers go before what they send.
  ~prepared_stage() override { contenders_.clear(); }

  kernels::check_result findings() const override { return load_->findings(); }
  void reset_findings() override { load_->reset_findings(); }
  std::uint64_t checked_bytes(exchange_mode mode) const override;
  reports::cell_inputs facts(contender& who, exchange_mode mode, std::uint64_t iteration) override;
  traces::claim claim(const contender& who, exchange_mode mode, int rank,
                      std::string_view way) const override;

 private:
  group& world_;
  stage_sizes sizes_;
  std::unique_ptr<stage_workload> load_;
  shared_exchangers exchangers_;
};

/// What a scenario's stages compute with. Collective; throws `invalid_use` on every rank alike if
/// there is no room for it.
std::unique_ptr<stage_workload> make_stage_workload(const scenario& what, const stage_sizes& sizes,
                                                    ulysses_site& site, group& world);

/// Why an arm whose exchanger is bare has no place in a stage.
inline constexpr const char* why_no_bare_arm =
    "a collective alone leaves no place for packing outside the clock";

/// Empty, or why the schedule can't be run on these sizes. The same on every rank.
std::string why_not_scheduled(const chosen_schedule& by, const stage_sizes& sizes);

/// `ithaca-bench stage`.
extern const subject stages;

}  // namespace ithaca::bench
