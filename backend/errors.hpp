#pragma once

#include <stdexcept>
#include <string>

namespace ithaca {

/// What the caller asked for can't be: wrong argument, shape or environment. Exit code 2.
class invalid_use : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An exchanger can't run here (no peer access, no library, no memory, ...). What is collective
/// (`exchanger::prepare`, the making of an exchanger) throws it on every rank of the group alike,
/// with the reasons in words; smaller parts throw it on one rank, and their caller makes it known.
class not_eligible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The exchange failed after ranks had agreed to it: a peer died or stalled, or the device
/// reported an error. Nothing may be retried on the same group. Exit code 3. On a GPU, streams may
/// wait for ever for what a peer no longer writes, and freeing memory waits for them: say what
/// there is to say in `watch::give_up`, and end the process without cleaning up.
class exchange_broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ithaca
