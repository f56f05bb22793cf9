#include "backend/sim/sim_group.hpp"

#include "backend/errors.hpp"

namespace ithaca::sim {

meeting_place::meeting_place(int ranks)
    : handed_in(static_cast<std::size_t>(ranks)),
      present(static_cast<std::size_t>(ranks)),
      missing(ranks) {}

std::vector<std::vector<std::byte>> sim_group::do_all_gather(std::span<const std::byte> mine) {
  const auto at = static_cast<std::size_t>(rank_);
  place_.handed_in[at].assign(mine.begin(), mine.end());
  place_.present[at] = true;
  const std::uint64_t round = place_.round;
  if (--place_.missing == 0) {
    place_.result = place_.handed_in;
    place_.present.assign(place_.present.size(), false);
    place_.missing = size();
    ++place_.round;
    vector_clock all;
    for (int each = 0; each < size(); ++each) all.join(world_.host(each).heard());
    for (int each = 0; each < size(); ++each) {
      world_.host(each).hear(all);
      world_.wake(world_.host(each));
    }
    return place_.result;
  }
  const bool met = world_.host(rank_).wait_until(
      [this, round] { return place_.round != round; },
      [this] {
        return blockage{"a group call, to which these ranks have not come:" + absent(), true};
      });
  if (!met) {
    throw exchange_broken("a group call can't end; ranks that did not come:" + absent());
  }
  return place_.result;
}

std::vector<unique_fd> sim_group::do_all_gather_descriptors(const unique_fd&) {
  return std::vector<unique_fd>(static_cast<std::size_t>(size()));
}

std::string sim_group::absent() const {
  std::string ranks;
  for (std::size_t each = 0; each < place_.present.size(); ++each) {
    if (!place_.present[each]) ranks += " " + std::to_string(each);
  }
  return ranks;
}

}  // namespace ithaca::sim
