#include "backend/peer_memory.hpp"

#include <cstring>

namespace ithaca {
namespace {

/// What a rank tells its peers; the pointer means something in the same process only.
struct announcement {
  std::shared_ptr<memory>* owner;
  std::uint64_t size_bytes;
};

}  // namespace

peer_memory::peer_memory(group& among, device& on, std::shared_ptr<memory> mine)
    : rank_(among.rank()), ranks_(static_cast<std::size_t>(among.size())) {
  const announcement own{&mine, mine->size_bytes()};
  const auto all = among.all_gather(std::as_bytes(std::span(&own, 1)));
  std::vector<unique_fd> descriptors = among.all_gather_descriptors(on.export_memory(*mine));
  for (int rank = 0; rank < among.size(); ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    announcement theirs{};
    std::memcpy(&theirs, all[at].data(), sizeof theirs);
    ranks_[at] = rank == rank_              ? mine
                 : among.same_process(rank) ? *theirs.owner
                                            : std::shared_ptr<memory>(on.import_memory(
                                                  std::move(descriptors[at]), theirs.size_bytes));
  }
  // Nobody's announced pointer may go before all have read it.
  among.barrier();
}

}  // namespace ithaca
