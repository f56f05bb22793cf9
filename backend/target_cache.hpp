#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/exchanger.hpp"
#include "backend/packed_source.hpp"
#include "backend/peer_memory.hpp"

namespace ithaca {

/// Where one exchange's bytes go on this rank, and, where peers write them, everyone's mapping.
struct target_slot {
  std::shared_ptr<memory> mine;
  std::optional<peer_memory> everyones = std::nullopt;
  bool used = false;                          ///< some exchange has written it
  std::unique_ptr<event> released = nullptr;  ///< on this rank, the last time; null before
  std::uint64_t released_on = 0;              ///< id of the stream
  std::uint64_t released_in = 0;              ///< capture, see `stream::capture_id`
};

/// A final-layout destination: one slot, or several that exchanges take in turn.
struct target {
  std::string key;  ///< `describe` of the spec that it serves
  std::vector<target_slot> slots;
  std::size_t at = 0;     ///< the slot of the exchange at hand, or the next one
  bool captured = false;  ///< a graph writes it
  std::unique_ptr<packed_source> packed = nullptr;  ///< where its source is packed, if it is

  target_slot& current() { return slots[at]; }
  target_slot& next() { return slots[(at + 1) % slots.size()]; }
  void advance() { at = (at + 1) % slots.size(); }
};

/// Throws `invalid_use` unless the tags are different ones, and targets of `slots` each for all of
/// them fit the cache at once.
void require_cacheable(std::span<const tensor_spec> specs, std::size_t slots = 1);

/// Targets by key, with at most `capacity` slots in all; the least recently used goes first.
class target_cache {
 public:
  static constexpr std::size_t capacity = 12;

  /// Null if there is none; otherwise it counts as used.
  std::shared_ptr<target> find(const std::string& key);
  void insert(std::shared_ptr<target> made);
  /// Drops the least recently used targets until `slots` more fit, sparing those of `keep`, and
  /// those that a graph has captured.
  /// The caller has made sure that nobody reads or writes them.
  void make_room(std::size_t slots, const std::vector<std::string>& keep);

  /// Slots of all targets.
  std::size_t size() const;
  /// Bytes that this rank allocated.
  std::size_t memory_bytes() const;

 private:
  std::list<std::shared_ptr<target>> targets_;  // most recently used first
};

}  // namespace ithaca
