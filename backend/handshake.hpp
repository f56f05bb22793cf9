#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/direct_options.hpp"
#include "backend/exchange_ledger.hpp"
#include "backend/signal_board.hpp"

namespace ithaca {

class device;

/// An exchange, as its signals know it.
struct exchange_mark {
  std::size_t leading_tag = 0;  ///< the ledger's number of its first tag
  std::uint64_t epoch = 0;      ///< 0: none
  signal_lane lane = signal_lane::copies;
  /// Ids of streams that are ordered behind its arrival.
  std::vector<std::uint64_t> known_on = {};

  bool same_exchange(const exchange_mark& other) const { return epoch == other.epoch; }
  bool is_known_on(std::uint64_t stream) const;
};

/// What the ranks of a direct exchange tell each other: that bytes have arrived, and that a target
/// may be written again. Every option of words and reuse is decided here.
class handshake {
 public:
  /// `peers` in sending order; `board` outlives this.
  handshake(const direct_options& options, int rank, std::vector<int> peers,
            const signal_board& board);

  /// The word that lets a peer's target be written that the exchange `last` has written before,
  /// by what is enqueued on the stream with id `on`. Empty if nothing has to be awaited. Epochs.
  std::optional<awaited_word> permission(const exchange_mark& last, int peer,
                                         std::uint64_t on) const;
  /// `copies` waits for that permission, unless it has before; with flags, for that of the exchange
  /// `now`, once, and takes the flag down.
  void await_permission(stream& copies, const exchange_mark& now, const exchange_mark& last,
                        int peer, std::uint64_t on, const operation_label& label);
  /// Keeps in mind what a kernel awaits, for `diagnose`.
  void note_awaited(const awaited_word& word);

  /// Everything of `now` that goes to peers is on `copies`. With flags, their permissions have been
  /// taken: also of those that get no bytes.
  void announce_arrival(stream& copies, const exchange_mark& now, std::string_view tag);
  /// The same of one tensor, with arrival per tensor.
  void announce_arrival(stream& copies, const exchange_mark& now, std::size_t number,
                        std::string_view tag);
  /// `on` waits for the bytes of every peer (and, where a kernel sent them, until its own are
  /// out). With flags it takes them down: only one stream may, and others wait for that one.
  void await_arrival(stream& on, const exchange_mark& now, std::string_view tag) const;
  /// The same of one tensor, with arrival per tensor.
  void await_arrival(stream& on, const exchange_mark& now, std::size_t number,
                     std::string_view tag) const;
  /// Every reader of `now` is through when `on` comes here.
  void announce_release(stream& on, const exchange_mark& now, std::string_view tag) const;

  /// What has not come, in words, each after "; ". Reads device memory.
  std::string missing(device& on, const exchange_ledger& ledger) const;

 private:
  using words_by_address = std::map<const std::uint64_t*, std::uint64_t>;

  /// `on` waits until the words of all peers have reached the epoch.
  template <class Word>
  void await_all(stream& on, const exchange_mark& now, std::string_view tag, Word word_of) const;
  std::string undelivered(device& on, const exchange_ledger& ledger, int peer) const;
  void take_permission(stream& copies, const exchange_mark& now, int peer,
                       const operation_label& label);

  signal_words words_;
  target_reuse reuse_;
  arrival_scope scope_;
  int awaiting_blocks_;  // of a kernel; 0: the stream awaits arrival
  int rank_;
  std::vector<int> peers_;
  const signal_board& board_;
  signaller arrivals_;
  signaller releases_;
  words_by_address awaited_;  // on any stream
  words_by_address seen_;     // on the copy stream
  // Flags: the latest exchange that has each peer's permission.
  std::map<int, std::uint64_t> permitted_;
};

}  // namespace ithaca
