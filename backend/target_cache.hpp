#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/exchanger.hpp"
#include "backend/peer_memory.hpp"

namespace ithaca {

/// A final-layout destination on this rank, and, where peers write it, everyone's mapping of it.
struct target {
  std::string key;  ///< `describe` of the spec that it serves
  std::shared_ptr<memory> mine;
  std::optional<peer_memory> everyones;
};

/// Throws `invalid_use` unless the tags are different ones, and targets for all of them fit the
/// cache at once.
void require_cacheable(std::span<const tensor_spec> specs);

/// Targets by key, at most `capacity` of them; the least recently used goes first.
class target_cache {
 public:
  static constexpr std::size_t capacity = 12;

  /// Null if there is none; otherwise it counts as used.
  std::shared_ptr<target> find(const std::string& key);
  void insert(std::shared_ptr<target> made);
  /// Drops the least recently used targets until `count` more fit, sparing those of `keep`.
  /// The caller has made sure that nobody reads or writes them.
  void make_room(std::size_t count, const std::vector<std::string>& keep);

  std::size_t size() const { return targets_.size(); }
  /// Bytes that this rank allocated.
  std::size_t memory_bytes() const;

 private:
  std::list<std::shared_ptr<target>> targets_;  // most recently used first
};

}  // namespace ithaca
