#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/scenario.hpp"
#include "bench/subject.hpp"
#include "bench/workload.hpp"

namespace ithaca::bench {

/// A scenario in which nothing but the exchange is sampled.
class prepared_exchange final : public prepared_scenario {
 public:
  /// Exchanges that a pipelined sample spans.
  static constexpr std::int64_t exchanges_per_pipeline = 8;

  /// As `subject::prepare`.
  prepared_exchange(const scenario& what, const std::vector<entrant>& entrants, ulysses_site& site,
                    group& world, start_gate& gate);
  /// Exchangers go before what they send.
  ~prepared_exchange() override { contenders_.clear(); }

  kernels::check_result findings() const override { return load_->findings(); }
  void reset_findings() override { load_->reset_findings(); }
  std::uint64_t checked_exchanges(exchange_mode mode) const override {
    return mode == exchange_mode::pipelined ? exchanges_per_pipeline : 1;
  }
  std::uint64_t checked_bytes(exchange_mode) const override { return load_->checked_bytes(); }
  reports::cell_inputs facts(contender& who, exchange_mode mode, std::uint64_t iteration) override;
  traces::claim claim(const contender& who, exchange_mode mode, int rank,
                      std::string_view way) const override;

 private:
  /// What checking one exchange costs.
  std::int64_t checker_ns(contender& who, std::uint64_t iteration);

  scenario what_;
  group& world_;
  std::unique_ptr<workload> load_;
};

/// `ithaca-bench scatter`, `gather` and `crossover`.
extern const subject exchanges;

}  // namespace ithaca::bench
