#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "backend/sim/access_history.hpp"
#include "backend/sim/word_history.hpp"

namespace ithaca::sim {

class actor;
struct allocation;

/// A signal: 8 bytes of an allocation that streams write and wait for.
struct word {
  allocation* in = nullptr;
  std::uint64_t* address = nullptr;
  word_history history;
  std::vector<operation_note> waits;  ///< the latest of each component
  std::vector<actor*> watchers;       ///< held by this word
};

/// A piece of address space. It keeps its address for as long as the world lives, also when all
/// ranks have let go of it: what touches it then is known.
struct allocation {
  std::uint32_t number = 0;  ///< in the world, from 1
  int owner = 0;             ///< rank
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;
  bool reserved = false;      ///< from the system by this map, not the caller's own memory
  std::vector<int> mappings;  ///< by rank
  bool owner_let_go = false;
  access_history accesses;
  std::map<std::size_t, std::unique_ptr<word>> words;  ///< by offset

  bool contains(const std::byte* address) const {
    return address >= data && address < data + size_bytes;
  }
};

/// Every allocation of a world. All ranks see one at the same address, but each maps it for itself.
class memory_map {
 public:
  /// Without `backed`, address space that nothing can be read from or written to.
  memory_map(int ranks, bool backed) : ranks_(ranks), backed_(backed) {}
  ~memory_map();
  memory_map(const memory_map&) = delete;
  memory_map& operator=(const memory_map&) = delete;

  bool backed() const { return backed_; }

  /// Throws `invalid_use` if the system has no room.
  allocation& reserve(int owner, std::size_t bytes);
  /// Memory of the caller's own.
  allocation& adopt(int owner, std::byte* data, std::size_t bytes);
  /// Null outside all allocations.
  allocation* find(const std::byte* address) const;
  allocation* by_number(std::uint32_t number) const;
  /// The signal at `address`. Throws `invalid_use` outside all allocations.
  word& word_at(const std::uint64_t* address);
  /// Gives the pages back, not the addresses.
  void discard(allocation& gone);

  const std::vector<std::unique_ptr<allocation>>& all() const { return all_; }

 private:
  allocation& add(int owner, std::byte* data, std::size_t bytes);

  int ranks_;
  bool backed_;
  std::vector<std::unique_ptr<allocation>> all_;
  std::map<const std::byte*, allocation*> by_address_;
};

}  // namespace ithaca::sim
