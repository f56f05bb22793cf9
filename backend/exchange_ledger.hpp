#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backend/exchanger.hpp"

namespace ithaca {

/// Keeps the order of calls on an exchanger: which tag is where in its life, and which exchange
/// it belongs to. Exchanges are numbered from 1, on every rank alike (the epochs of the signals).
/// A call out of order is a `std::logic_error` and changes nothing. Once an attempt has failed,
/// every call is `exchange_broken`: nobody knows how far the exchange came.
class exchange_ledger {
 public:
  /// Around what a call enqueues once it is in the ledger.
  class attempt {
   public:
    explicit attempt(exchange_ledger& in) : ledger_(in) {}
    attempt(const attempt&) = delete;
    attempt& operator=(const attempt&) = delete;
    ~attempt() { ledger_.broken_ = ledger_.broken_ || !succeeded_; }
    void succeeded() { succeeded_ = true; }

   private:
    exchange_ledger& ledger_;
    bool succeeded_ = false;
  };

  /// Number of `tag`, from 0 in the order of declaration. A tag keeps its number for ever.
  std::size_t declare(std::string_view tag);
  std::size_t number(std::string_view tag) const;
  const std::string& name(std::size_t tag) const { return entries_[tag].name; }
  std::size_t tag_count() const { return entries_.size(); }

  /// Throws unless the tag is free: never submitted, or released.
  void require_free(std::size_t tag, const char* call) const;
  /// Throws unless the tag's exchange was waited for and not yet released.
  void require_arrived(std::size_t tag, const char* call) const;

  /// Enters a submit; returns the exchange that it belongs to.
  std::uint64_t submit(std::size_t tag, submit_order order);
  /// The exchange that `wait` must see arrive.
  std::uint64_t wait(std::size_t tag);
  /// The exchange whose contents are given up.
  std::uint64_t release(std::size_t tag);

  /// Tags of the exchange that is being submitted, by first submit; empty between exchanges.
  const std::vector<std::size_t>& open_tags() const { return open_tags_; }
  /// Whether every tag of `exchange` has been released.
  bool all_released(std::uint64_t exchange) const;
  /// The latest exchange of `tag`; 0 before the first.
  std::uint64_t exchange_of(std::size_t tag) const { return entries_[tag].exchange; }
  /// The latest exchange and its tags, in words: "epoch 7 (tags v, q, k)".
  std::string standing() const;
  /// An exchange with those of its tags that no later one has.
  std::string in_words(std::uint64_t exchange) const;
  /// The exchange of the latest submit.
  std::uint64_t latest() const { return open_tags_.empty() ? next_ - 1 : next_; }

 private:
  enum class phase { free, submitting, complete, arrived };
  struct entry {
    std::string name;
    phase at = phase::free;
    std::uint64_t exchange = 0;
  };

  std::vector<entry> entries_;
  void require_intact() const;

  bool broken_ = false;
  std::vector<std::size_t> open_tags_;
  std::uint64_t next_ = 1;
};

}  // namespace ithaca
