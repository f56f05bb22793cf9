#pragma once

#include <random>
#include <vector>

#include "backend/sim/policy.hpp"

namespace ithaca::sim {

/// Takes any step, by a seed: the same seed, the same schedule. For some time at a stretch a few
/// host programs and streams are left behind all others, so that ranks and streams also drift far
/// apart. Its clock counts steps.
class exploring_policy final : public policy {
 public:
  explicit exploring_policy(std::uint64_t seed) : random_(seed) {}

  void offer(const step& what) override { offered_.push_back(what.actor); }
  std::optional<std::uint32_t> next() override;
  bool pauses(int rank, const sim_operation& operation) override;
  std::size_t pick(std::size_t count) override { return count < 2 ? 0 : random_() % count; }
  std::int64_t now_ns() const override { return steps_; }

 private:
  bool left_behind(std::uint32_t actor) const;

  std::mt19937_64 random_;
  std::vector<std::uint32_t> offered_;
  std::int64_t steps_ = 0;
  std::int64_t stretch_ends_ = 0;
  std::uint64_t stretch_ = 0;  // decides who is left behind
};

}  // namespace ithaca::sim
