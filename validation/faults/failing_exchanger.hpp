#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "backend/exchanger.hpp"
#include "validation/faults/fault_strike.hpp"

namespace ithaca::validation {

/// An exchanger that fails at a planned point of its calls. Scatters and gathers are counted apart;
/// tag "o" is the gather's.
class failing_exchanger final : public exchanger {
 public:
  /// `with` outlives the exchanger.
  failing_exchanger(std::unique_ptr<exchanger> inner, fault_strike& with)
      : inner_(std::move(inner)), strike_(with) {}

  void prepare(std::span<const tensor_spec> specs) override;
  target_view acquire(std::string_view tag, stream& on) override {
    return inner_->acquire(tag, on);
  }
  void stage(std::string_view tag, const slice& part, const source_view& source, stream& on,
             submit_order order) override {
    inner_->stage(tag, part, source, on, order);
  }
  void submit(std::string_view tag, const slice& part, const source_view& source, stream& on,
              submit_order order) override;
  target_view wait(std::string_view tag, stream& on) override { return inner_->wait(tag, on); }
  void unstage(std::string_view tag, stream& on) override { inner_->unstage(tag, on); }
  void release(std::string_view tag, stream& on) override;
  bool synchronize(std::chrono::steady_clock::time_point deadline) override {
    return inner_->synchronize(deadline);
  }
  std::size_t memory_bytes() const override { return inner_->memory_bytes(); }
  std::size_t padding_bytes() const override { return inner_->padding_bytes(); }
  exchange_way taken() const override { return inner_->taken(); }
  std::string standing() const override { return inner_->standing(); }
  std::string diagnose() override { return inner_->diagnose(); }

 private:
  std::unique_ptr<exchanger> inner_;
  fault_strike& strike_;
  std::int64_t scatters_ = 0;  // begun
  std::int64_t gathers_ = 0;
  bool open_ = false;  // an exchange is being submitted
};

}  // namespace ithaca::validation
