#include "backend/handshake.hpp"

#include <algorithm>
#include <utility>

#include "backend/device.hpp"
#include "kernels/barrier.hpp"

namespace ithaca {
namespace {

constexpr std::uint64_t up = 1;
constexpr std::uint64_t down = 0;

std::string listed(int peer) { return "; rank " + std::to_string(peer); }

}  // namespace

bool exchange_mark::is_known_on(std::uint64_t stream) const {
  return std::ranges::find(known_on, stream) != known_on.end();
}

handshake::handshake(const direct_options& options, int rank, std::vector<int> peers,
                     const signal_board& board)
    : words_(options.words),
      reuse_(options.reuse),
      scope_(options.arrivals),
      awaiting_blocks_(options.signals == signal_kind::kernel ? options.awaiting_blocks : 0),
      rank_(rank),
      peers_(std::move(peers)),
      board_(board),
      arrivals_(options.signals, board.staged_arrival()),
      releases_(kind_beside_arrival(options), board.staged_release()) {}

std::optional<awaited_word> handshake::permission(const exchange_mark& last, int peer,
                                                  std::uint64_t on) const {
  if (last.epoch == 0) return std::nullopt;
  switch (reuse_) {
    case target_reuse::handshake:
      return awaited_word{board_.released(last.leading_tag, peer), last.epoch};
    case target_reuse::n_buffers:
      // Its sender gave up what was in the target before it announced that exchange.
      if (last.is_known_on(on)) return std::nullopt;
      return awaited_word{board_.arrival(last.lane, peer), last.epoch};
    case target_reuse::external:
      break;
  }
  return std::nullopt;
}

void handshake::await_permission(stream& copies, const exchange_mark& now,
                                 const exchange_mark& last, int peer, std::uint64_t on,
                                 const operation_label& label) {
  if (words_ == signal_words::flags) return take_permission(copies, now, peer, label);
  const auto word = permission(last, peer, on);
  if (!word) return;
  std::uint64_t& seen = seen_[word->address];
  if (seen >= word->value) return;
  copies.wait_value(word->address, word->value, label);
  seen = word->value;
  note_awaited(*word);
}

void handshake::take_permission(stream& copies, const exchange_mark& now, int peer,
                                const operation_label& label) {
  if (std::exchange(permitted_[peer], now.epoch) == now.epoch) return;
  std::uint64_t* const word = board_.released(now.leading_tag, peer);
  copies.wait_value(word, up, label);
  copies.write_value(word, down, label);
}

void handshake::note_awaited(const awaited_word& word) { awaited_[word.address] = word.value; }

void handshake::announce_arrival(stream& copies, const exchange_mark& now, std::string_view tag) {
  const bool flags = words_ == signal_words::flags;
  std::vector<peer_word> words;
  for (const int peer : peers_) {
    if (flags) take_permission(copies, now, peer, {tag, peer, now.epoch});
    words.push_back({peer, flags ? board_.peer_arrived(now.leading_tag, peer)
                                 : board_.peer_arrival(signal_lane::copies, peer)});
  }
  arrivals_.signal(copies, words, flags ? up : now.epoch, {tag, rank_, now.epoch});
}

void handshake::announce_arrival(stream& copies, const exchange_mark& now, std::size_t number,
                                 std::string_view tag) {
  std::vector<peer_word> words;
  for (const int peer : peers_) words.push_back({peer, board_.peer_arrived(number, peer)});
  arrivals_.signal(copies, words, now.epoch, {tag, rank_, now.epoch});
}

void handshake::await_arrival(stream& on, const exchange_mark& now, std::string_view tag) const {
  if (words_ == signal_words::flags) {
    for (const int peer : peers_) {
      std::uint64_t* const word = board_.arrived(now.leading_tag, peer);
      on.wait_value(word, up, {tag, peer, now.epoch});
      on.write_value(word, down, {tag, peer, now.epoch});
    }
    return;
  }
  if (now.lane == signal_lane::kernel) {
    on.wait_value(board_.arrival(now.lane, rank_), now.epoch, {tag, rank_, now.epoch});
  }
  await_all(on, now, tag, [&](int peer) { return board_.arrival(now.lane, peer); });
}

template <class Word>
void handshake::await_all(stream& on, const exchange_mark& now, std::string_view tag,
                          Word word_of) const {
  if (awaiting_blocks_ > 0) {
    std::vector<awaited_word> words;
    for (const int peer : peers_) words.push_back({word_of(peer), now.epoch});
    if (!words.empty()) {
      on.launch(kernels::await(std::move(words), awaiting_blocks_), {tag, -1, now.epoch});
    }
    return;
  }
  for (const int peer : peers_) {
    on.wait_value(word_of(peer), now.epoch, {tag, peer, now.epoch});
  }
}

void handshake::await_arrival(stream& on, const exchange_mark& now, std::size_t number,
                              std::string_view tag) const {
  await_all(on, now, tag, [&](int peer) { return board_.arrived(number, peer); });
}

void handshake::announce_release(stream& on, const exchange_mark& now, std::string_view tag) const {
  if (reuse_ != target_reuse::handshake) return;
  const std::uint64_t value = words_ == signal_words::flags ? up : now.epoch;
  std::vector<peer_word> words;
  for (const int peer : peers_)
    words.push_back({peer, board_.peer_released(now.leading_tag, peer)});
  releases_.signal(on, words, value, {tag, rank_, now.epoch});
}

std::string handshake::undelivered(device& on, const exchange_ledger& ledger, int peer) const {
  std::string text;
  if (scope_ == arrival_scope::per_tensor) {
    for (std::size_t tag = 0; tag < ledger.tag_count(); ++tag) {
      const std::uint64_t epoch = ledger.exchange_of(tag);
      if (read_word(on, board_.arrived(tag, peer)) >= epoch) continue;
      text += listed(peer) + " has not delivered tag " + ledger.name(tag) + " of epoch " +
              std::to_string(epoch);
    }
    return text;
  }
  const std::uint64_t delivered =
      std::max(read_word(on, board_.arrival(signal_lane::copies, peer)),
               read_word(on, board_.arrival(signal_lane::kernel, peer)));
  if (delivered >= ledger.latest()) return "";
  return listed(peer) + " has not delivered " + ledger.in_words(delivered + 1);
}

std::string handshake::missing(device& on, const exchange_ledger& ledger) const {
  const auto read = [&](const std::uint64_t* word) { return read_word(on, word); };
  std::string text;
  for (const int peer : peers_) {
    if (words_ == signal_words::epochs) text += undelivered(on, ledger, peer);
    for (std::size_t tag = 0; tag < ledger.tag_count(); ++tag) {
      const std::uint64_t* const word = board_.released(tag, peer);
      if (words_ == signal_words::flags) {
        // Each is up only until it is taken down: what is neither is on its way, or will not come.
        if (read(word) == down && read(board_.arrived(tag, peer)) == down) {
          text += listed(peer) + " has neither delivered nor released tag " + ledger.name(tag);
        }
        continue;
      }
      const auto awaited = awaited_.find(word);
      if (awaited != awaited_.end() && read(word) < awaited->second) {
        text += listed(peer) + " has not released tag " + ledger.name(tag) + " of epoch " +
                std::to_string(awaited->second);
      }
    }
  }
  return text;
}

}  // namespace ithaca
