#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "backend/exchange_plan.hpp"
#include "backend/stream.hpp"

namespace ithaca {

/// How far a tensor is in the exchange at hand, where its arrival is told apart from that of
/// others.
class tensor_progress {
 public:
  /// Its first submit comes; `whole`: the rank's source.
  void begin(const slice& whole) {
    to_submit_ = extent_of(whole);
    announced_ = false;
  }
  void submit(const slice& part) { to_submit_ -= extent_of(part); }
  /// All of it has been submitted, and nobody has been told.
  bool is_due() const { return !announced_ && to_submit_ <= 0; }
  bool is_announced() const { return announced_; }
  /// Whether a part may still come.
  bool takes(const slice& part) const { return !announced_ || extent_of(part) == 0; }

  /// The peers are told, behind `sent`; `own_copied`: what went beside.
  void announce(std::shared_ptr<event> sent, std::vector<std::shared_ptr<event>> own_copied) {
    announced_ = true;
    sent_ = std::move(sent);
    own_copied_ = std::move(own_copied);
  }
  const std::shared_ptr<event>& sent() const { return sent_; }
  /// `on` follows what this rank moves of it.
  void await_moved(stream& on) const {
    for (const auto& each : own_copied_) on.wait(*each);
    on.wait(*sent_);
  }

 private:
  /// Rows times heads.
  static std::int64_t extent_of(const slice& part) { return part.rows.count * part.heads.count; }

  std::int64_t to_submit_ = 0;
  bool announced_ = false;
  std::shared_ptr<event> sent_;
  std::vector<std::shared_ptr<event>> own_copied_;
};

}  // namespace ithaca
