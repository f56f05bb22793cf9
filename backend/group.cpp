#include "backend/group.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

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
  return std::ranges::max(all_gather_numbers(mine));
}

std::int64_t group::sum(std::int64_t mine) {
  const std::vector<std::int64_t> all = all_gather_numbers(mine);
  return std::accumulate(all.begin(), all.end(), std::int64_t{0});
}

std::vector<std::int64_t> group::all_gather_numbers(std::int64_t mine) {
  std::vector<std::int64_t> numbers;
  for (const auto& bytes : all_gather(std::as_bytes(std::span(&mine, 1)))) {
    std::memcpy(&numbers.emplace_back(), bytes.data(), sizeof mine);
  }
  return numbers;
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
