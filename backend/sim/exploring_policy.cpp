#include "backend/sim/exploring_policy.hpp"

namespace ithaca::sim {
namespace {

constexpr std::uint64_t longest_stretch = 400;  // steps
constexpr std::uint64_t pause_every = 16;       // enqueues, on average

}  // namespace

bool exploring_policy::left_behind(std::uint32_t actor) const {
  return (stretch_ >> (actor % 32) & stretch_ >> (32 + actor % 32) & 1) != 0;  // one in four
}

std::optional<std::uint32_t> exploring_policy::next() {
  if (offered_.empty()) return std::nullopt;
  if (++steps_ >= stretch_ends_) {
    stretch_ends_ = steps_ + 1 + static_cast<std::int64_t>(random_() % longest_stretch);
    stretch_ = random_();
  }
  std::size_t at = pick(offered_.size());
  // Whoever is left behind comes when nobody else is offered.
  for (std::size_t tried = 1; left_behind(offered_[at]) && tried < offered_.size(); ++tried) {
    at = (at + 1) % offered_.size();
  }
  const std::uint32_t chosen = offered_[at];
  offered_[at] = offered_.back();
  offered_.pop_back();
  return chosen;
}

bool exploring_policy::pauses(int, const sim_operation&) { return random_() % pause_every == 0; }

}  // namespace ithaca::sim
