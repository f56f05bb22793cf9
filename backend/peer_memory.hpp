#pragma once

#include <memory>
#include <vector>

#include "backend/device.hpp"
#include "backend/group.hpp"

namespace ithaca {

/// One allocation of every rank, or a part of one, mapped on all of them.
class peer_memory {
 public:
  /// Collective. Keeps `mine`, and maps every peer's for as long as it lives; ranks of one process
  /// use each other's pointers. Offsets of parts may differ between ranks. Throws `not_eligible` on
  /// every rank alike if any of them can't export or map, `exchange_broken` if any of them broke.
  peer_memory(group& among, device& on, std::shared_ptr<memory> mine);

  /// The same, but a rank that can't be mapped here has no address, and its reason in `why_not`,
  /// by rank; one that has a reason there already is not tried.
  static peer_memory where_possible(group& among, device& on, std::shared_ptr<memory> mine,
                                    std::vector<std::string>& why_not);

  /// Where `rank`'s memory begins, as seen by this rank's device.
  std::byte* at(int rank) const { return ranks_[static_cast<std::size_t>(rank)]->data(); }
  std::byte* mine() const { return at(rank_); }
  std::size_t size_bytes() const { return ranks_[static_cast<std::size_t>(rank_)]->size_bytes(); }

 private:
  /// `why_not`: null if all must be mapped.
  peer_memory(group& among, device& on, std::shared_ptr<memory> mine,
              std::vector<std::string>* why_not);

  int rank_;
  std::vector<std::shared_ptr<memory>> ranks_;
};

}  // namespace ithaca
