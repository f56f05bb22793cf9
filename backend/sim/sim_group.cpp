#include "backend/sim/sim_group.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "backend/errors.hpp"

namespace ithaca::sim {

meeting_place::meeting_place(std::vector<int> ranks)
    : members(std::move(ranks)),
      handed_in(members.size()),
      present(members.size()),
      missing(static_cast<int>(members.size())) {}

std::vector<std::vector<std::byte>> sim_group::do_all_gather(std::span<const std::byte> mine) {
  const auto at = static_cast<std::size_t>(rank_);
  place_->handed_in[at].assign(mine.begin(), mine.end());
  place_->present[at] = true;
  const std::uint64_t round = place_->round;
  if (--place_->missing == 0) {
    place_->result = place_->handed_in;
    place_->present.assign(place_->present.size(), false);
    place_->missing = size();
    ++place_->round;
    vector_clock all;
    for (int each = 0; each < size(); ++each) all.join(host(each).heard());
    for (int each = 0; each < size(); ++each) {
      host(each).hear(all);
      world_.wake(host(each));
    }
    return place_->result;
  }
  const bool met = host(rank_).wait_until(
      [this, round] { return place_->round != round; },
      [this] {
        return blockage{"a group call, to which these ranks have not come:" + absent(), true};
      });
  if (!met) {
    throw exchange_broken("a group call can't end; ranks that did not come:" + absent());
  }
  return place_->result;
}

std::unique_ptr<group> sim_group::split(int color, int key) {
  struct wish {
    int color, key, rank;
    std::shared_ptr<meeting_place>* place;
  };
  std::shared_ptr<meeting_place> mine;
  const wish asked{color, key, rank_, &mine};
  std::vector<wish> alike;
  for (const auto& each : all_gather(std::as_bytes(std::span(&asked, 1)))) {
    wish other{};
    std::memcpy(&other, each.data(), sizeof other);
    if (other.color == color) alike.push_back(other);
  }
  std::ranges::sort(alike, {}, [](const wish& of) { return std::pair(of.key, of.rank); });
  std::vector<int> members;
  for (const wish& each : alike) {
    members.push_back(place_->members[static_cast<std::size_t>(each.rank)]);
  }
  const auto at = std::ranges::find(alike, rank_, &wish::rank) - alike.begin();
  // All are in one process: the first makes the place, the others take it.
  if (at == 0) mine = std::make_shared<meeting_place>(std::move(members));
  barrier();
  auto made = std::make_unique<sim_group>(world_, *alike.front().place, static_cast<int>(at));
  barrier();
  return made;
}

std::vector<unique_fd> sim_group::do_all_gather_descriptors(const unique_fd&) {
  return std::vector<unique_fd>(static_cast<std::size_t>(size()));
}

std::string sim_group::absent() const {
  std::string ranks;
  for (std::size_t each = 0; each < place_->present.size(); ++each) {
    if (!place_->present[each]) ranks += " " + std::to_string(each);
  }
  return ranks;
}

}  // namespace ithaca::sim
