#include "backend/sim/memory_map.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "backend/errors.hpp"

namespace ithaca::sim {

memory_map::~memory_map() {
  for (const auto& each : all_) {
    if (each->reserved) munmap(each->data, each->size_bytes);
  }
}

allocation& memory_map::reserve(int owner, std::size_t bytes) {
  void* at = mmap(nullptr, bytes, backed_ ? PROT_READ | PROT_WRITE : PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    throw invalid_use("simulated device: " + std::to_string(bytes) +
                      " bytes can't be had: " + std::strerror(errno));
  }
  allocation& made = add(owner, static_cast<std::byte*>(at), bytes);
  made.reserved = true;
  return made;
}

allocation& memory_map::adopt(int owner, std::byte* data, std::size_t bytes) {
  allocation* const known = find(data);
  if (known && !known->reserved && known->data == data && known->size_bytes == bytes) return *known;
  return add(owner, data, bytes);
}

allocation& memory_map::add(int owner, std::byte* data, std::size_t bytes) {
  all_.push_back(std::make_unique<allocation>());
  allocation& made = *all_.back();
  made.number = static_cast<std::uint32_t>(all_.size());
  made.owner = owner;
  made.data = data;
  made.size_bytes = bytes;
  made.mappings.resize(static_cast<std::size_t>(ranks_));
  by_address_[data] = &made;
  return made;
}

allocation* memory_map::find(const std::byte* address) const {
  auto behind = by_address_.upper_bound(address);
  if (behind == by_address_.begin()) return nullptr;
  allocation* const found = std::prev(behind)->second;
  return found->contains(address) ? found : nullptr;
}

allocation* memory_map::by_number(std::uint32_t number) const {
  return number == 0 || number > all_.size() ? nullptr : all_[number - 1].get();
}

word& memory_map::word_at(const std::uint64_t* address) {
  const auto* const first = reinterpret_cast<const std::byte*>(address);
  allocation* const in = find(first);
  if (!in) throw invalid_use("simulated device: a signal lies outside every allocation");
  const auto offset = static_cast<std::size_t>(first - in->data);
  std::unique_ptr<word>& at = in->words[offset];
  if (!at) {
    at = std::make_unique<word>();
    at->in = in;
    at->address = const_cast<std::uint64_t*>(address);
    if (backed_ || !in->reserved) at->history.reset(*address);
  }
  return *at;
}

void memory_map::discard(allocation& gone) {
  gone.accesses.clear();
  if (!gone.reserved) return;
  // Nothing is to be found at these addresses again, by this process either.
  mmap(gone.data, gone.size_bytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

}  // namespace ithaca::sim
