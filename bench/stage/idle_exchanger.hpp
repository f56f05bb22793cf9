#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "backend/exchange_ledger.hpp"
#include "backend/exchanger.hpp"

namespace ithaca::bench {

/// Exchanges nothing: targets are this rank's own, and hold what it writes into them. A stage with
/// it is its computation alone.
class idle_exchanger final : public exchanger {
 public:
  /// `on` outlives the exchanger.
  explicit idle_exchanger(device& on) : device_(on) {}

  void prepare(std::span<const tensor_spec> specs) override;
  target_view acquire(std::string_view tag, stream& on) override;
  void submit(std::string_view tag, const slice& part, const source_view& source, stream& on,
              submit_order order) override;
  target_view wait(std::string_view tag, stream& on) override;
  void release(std::string_view tag, stream& on) override;
  bool synchronize(std::chrono::steady_clock::time_point) override { return true; }
  std::size_t memory_bytes() const override;
  std::string standing() const override { return ledger_.standing(); }
  std::string diagnose() override { return standing(); }

 private:
  target_view view(std::string_view tag) const;

  device& device_;
  exchange_ledger ledger_;
  std::vector<std::unique_ptr<memory>> targets_;  // by the ledger's number
};

}  // namespace ithaca::bench
