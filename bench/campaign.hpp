#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/crossover_probe.hpp"
#include "bench/host_site.hpp"
#include "bench/measurement.hpp"
#include "bench/options.hpp"
#include "bench/progress_line.hpp"
#include "bench/run_output.hpp"
#include "bench/start_gate.hpp"
#include "bench/subject.hpp"
#include "bench/telemetry.hpp"
#include "bench/ulysses_site.hpp"
#include "bench/whereabouts.hpp"
#include "reports/report.hpp"
#include "traces/timeline_record.hpp"

namespace ithaca::bench {

/// Says in words what order was found missing among the accesses to memory since it was asked the
/// last time; empty if none was. Of a simulation only. The world's ranks share what it looks at.
using order_watch = std::function<std::string()>;

/// What a campaign is to do.
struct campaign_plan {
  exchange_options options;
  subject sampled;
  std::vector<scenario> scenarios;
  std::vector<entrant> entrants;  ///< with the reference, and its second self for the A/A pair
  /// The schedule that speedups refer to, with the reference arm; empty: each cell's own.
  std::string reference_schedule = {};
  std::string nccl_file = {};    ///< the NCCL to open; empty: by name
  order_watch watch_order = {};  ///< null: nothing watches
};

/// Runs the comparison: all scenarios timed, then, since no profiler may be near a timed pass, all
/// of them once more traced. Every rank goes through the same steps and holds the same report;
/// rank 0 writes it, whole, and its page, whenever a scenario is done.
class campaign {
 public:
  /// Collective. `so_far` holds what is known before the first sample. Throws `invalid_use` if a
  /// scenario that was asked for by name can't run here: nothing has been measured or written.
  campaign(campaign_plan plan, group& world, device& on, group_splitter split,
           reports::report so_far);

  /// Empty, or why the scenario of that place in the plan is skipped. The same on every rank.
  const std::string& obstacle(std::size_t scenario) const { return obstacles_[scenario]; }

  /// Collective. `folder` is empty on all ranks but 0. What it has when it fails has been written.
  const reports::report& run(std::optional<run_folder> folder);

  /// Why a file could not be written after the first time; empty if all were.
  const std::string& write_failure() const { return output_.failure(); }

 private:
  ulysses_site& site(int degree);
  /// Empty, or why the scenario can't run here. The same on every rank.
  std::string why_not(const scenario& what);
  /// Why a contender is not sampled in that mode; the same on every rank. Collective.
  std::string why_not(const scenario& what, const prepared_scenario& ready, contender& who,
                      exchange_mode mode);
  void skip(const scenario& what, const std::string& reason);
  /// Of the first scenario that can run: the report has this rank's rates, so rank 0 writes its
  /// own.
  void probe_kernels();
  /// Where an arm needs to know it, once for each degree.
  void measure_crossover(int degree);
  void time_scenario(const scenario& what);
  void time_rounds(const scenario& what, prepared_scenario& ready, whereabouts& here);
  void add_measurement(const scenario& what, prepared_scenario& ready, contender& who,
                       exchange_mode mode);
  /// Bytes that were wrong before the first round are this contender's, and nobody else's.
  void blame_for_warm_up(const scenario& what, prepared_scenario& ready, const entrant& who);
  /// What order has been missing since the last time; the same on every rank.
  std::string missing_order();
  void blame_for_disorder(const scenario& what, const entrant& who);
  void finish_round(prepared_scenario& ready, contender& who, exchange_mode mode, measurement& of,
                    reports::sample_matrix::round round);
  void trace_scenario(const scenario& what);
  void trace_contender(const scenario& what, prepared_scenario& ready, contender& who,
                       exchange_mode mode);
  /// Writes the report as it stands.
  void write();
  reports::cell_key key(const scenario& what, const entrant& who, exchange_mode mode) const;

  campaign_plan plan_;
  group& world_;
  device& device_;
  group_splitter split_;
  reports::report report_;
  run_output output_;
  host_site host_;
  start_gate gate_;
  telemetry telemetry_;
  progress_line progress_;
  std::map<int, std::unique_ptr<ulysses_site>> sites_;  // by degree
  std::map<int, probed_crossover> crossovers_;          // by degree
  std::vector<std::string> obstacles_;                  // by scenario: empty, or why it can't run
  std::vector<measurement> measurements_;
  std::vector<traces::timeline_record> timeline_;
  std::uint64_t iteration_ = 0;
};

}  // namespace ithaca::bench
