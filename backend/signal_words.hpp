#pragma once

namespace ithaca {

/// What the words of a signal board say, and so what a wait for one of them asks.
enum class signal_words {
  /// Numbers of exchanges, which only grow: waits are "at least", and a peer that is ahead is no
  /// danger. An exchange has its number for good, so it can't be replayed.
  epochs,
  /// 1 when it is so, taken down to 0 by the one who awaited it, before the signal that lets its
  /// writer write it again. Nothing in them depends on how often an exchange has run: it may be
  /// captured into a graph and replayed, with others in between. Two writes a peer more.
  flags,
};

}  // namespace ithaca
