#include "backend/group.hpp"

#include <algorithm>
#include <cstring>

namespace ithaca {

std::vector<std::vector<std::byte>> group::all_gather(std::span<const std::byte> mine) {
  ++collective_count_;
  return do_all_gather(mine);
}

void group::barrier() {
  ++collective_count_;
  do_barrier();
}

bool group::agree(bool mine) { return maximum(mine ? 0 : 1) == 0; }

std::int64_t group::maximum(std::int64_t mine) {
  std::int64_t largest = mine;
  for (const auto& bytes : all_gather(std::as_bytes(std::span(&mine, 1)))) {
    std::int64_t theirs = 0;
    std::memcpy(&theirs, bytes.data(), sizeof theirs);
    largest = std::max(largest, theirs);
  }
  return largest;
}

std::vector<std::string> group::all_gather_text(const std::string& mine) {
  std::vector<std::string> texts;
  for (const auto& bytes : all_gather(std::as_bytes(std::span(mine)))) {
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return texts;
}

std::vector<unique_fd> group::all_gather_descriptors(const unique_fd& mine) {
  ++collective_count_;
  return do_all_gather_descriptors(mine);
}

}  // namespace ithaca
