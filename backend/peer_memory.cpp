#include "backend/peer_memory.hpp"

#include <cstring>
#include <functional>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "backend/memory_part.hpp"

namespace ithaca {
namespace {

/// What a rank tells its peers about its memory; a handle, if there is one, follows. The pointer
/// means something in the same process only.
struct announcement {
  std::shared_ptr<memory>* owner;
  std::uint64_t whole_bytes;  // of the allocation
  std::uint64_t base_offset;  // of the allocation in what its handle names
  std::uint64_t part_offset;  // of the memory in its allocation
  std::uint64_t part_bytes;
};

std::vector<std::byte> to_bytes(const announcement& said, const std::vector<std::byte>& handle) {
  const auto head = std::as_bytes(std::span(&said, 1));
  std::vector<std::byte> bytes(head.begin(), head.end());
  bytes.insert(bytes.end(), handle.begin(), handle.end());
  return bytes;
}

/// What `step` throws where it is refused.
std::string refusal_of(const std::function<void()>& step) {
  try {
    step();
  } catch (const not_eligible& reason) {
    return reason.what();
  } catch (const invalid_use& reason) {
    return reason.what();
  }
  return "";
}

}  // namespace

peer_memory::peer_memory(group& among, device& on, std::shared_ptr<memory> mine)
    : peer_memory(among, on, std::move(mine), nullptr) {}

peer_memory peer_memory::where_possible(group& among, device& on, std::shared_ptr<memory> mine,
                                        std::vector<std::string>& why_not) {
  why_not.resize(static_cast<std::size_t>(among.size()));
  return peer_memory(among, on, std::move(mine), &why_not);
}

peer_memory::peer_memory(group& among, device& on, std::shared_ptr<memory> mine,
                         std::vector<std::string>* why_not)
    : rank_(among.rank()), ranks_(static_cast<std::size_t>(among.size())) {
  const auto* part = dynamic_cast<const memory_part*>(mine.get());
  const memory& whole = part ? part->whole() : *mine;
  shared_memory exported;
  run_together(among, [&] { exported = on.export_memory(whole); });

  const announcement own{&mine, whole.size_bytes(), exported.offset_bytes,
                         part ? part->offset_bytes() : 0, mine->size_bytes()};
  const auto all = among.all_gather(to_bytes(own, exported.handle));
  // Either all ranks have one, or none: they share in the same way.
  std::vector<unique_fd> descriptors(ranks_.size());
  if (exported.descriptor) descriptors = among.all_gather_descriptors(exported.descriptor);

  const auto map = [&](std::size_t rank) -> std::shared_ptr<memory> {
    announcement theirs{};
    std::memcpy(&theirs, all[rank].data(), sizeof theirs);
    if (among.same_process(static_cast<int>(rank))) return *theirs.owner;
    std::shared_ptr<memory> imported =
        on.import_memory({std::move(descriptors[rank]),
                          {all[rank].begin() + sizeof theirs, all[rank].end()},
                          theirs.base_offset},
                         theirs.whole_bytes);
    if (theirs.part_offset == 0 && theirs.part_bytes == theirs.whole_bytes) return imported;
    return std::make_shared<memory_part>(imported, theirs.part_offset, theirs.part_bytes);
  };
  // Behind this, all have also read the pointers that were announced: they may go.
  run_together(among, [&] {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (static_cast<int>(rank) == rank_) {
        ranks_[rank] = mine;
      } else if (!why_not) {
        ranks_[rank] = map(rank);
      } else if ((*why_not)[rank].empty()) {
        (*why_not)[rank] = refusal_of([&] { ranks_[rank] = map(rank); });
      }
    }
  });
}

}  // namespace ithaca
