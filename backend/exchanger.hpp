#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "backend/exchange_plan.hpp"
#include "backend/stream.hpp"

namespace ithaca {

/// Who fills the part of a target that stays on its rank.
enum class own_chunk { copied, produced };

/// One tensor that an exchanger is to move, again and again.
struct tensor_spec {
  std::string tag;  ///< "q", "k", "v", "o": tags never share a target
  tensor_geometry geometry;
  own_chunk own = own_chunk::copied;
};

/// One line that names every property of a spec: equal texts mean equal specs.
std::string describe(const tensor_spec& spec);

/// The tags of `specs`, for people.
std::string tags_of(std::span<const tensor_spec> specs);

/// Until when the destructor of an exchanger waits for its streams: hardly at all while an error
/// unwinds, since peers may never come, and what waits behind it is then late.
std::chrono::steady_clock::time_point grace_to_finish();

/// A rank's source tensor: the address of its first byte, and its strides.
struct source_view {
  const std::byte* data = nullptr;
  tensor_strides strides;
};

class device;

/// Throws `invalid_use` unless `on` reaches the source of `part`; an empty part needs none.
void require_reachable(const device& on, std::string_view tag, const slice& part,
                       const source_view& source);

/// A rank's contiguous final-layout tensor: (batch, S_global, H_local, D) after a scatter,
/// (batch, S_local, H, D) after a gather.
struct target_view {
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;
};

/// Whether more submits of the same exchange follow.
enum class submit_order { more, last };

/// Which of its ways an exchanger takes, and why, in words for people.
struct exchange_way {
  std::string name = {};
  std::string why = {};
};

/// Performs exchanges: the scatters (or gathers) of one layer that share one completion.
///
/// The life of a tag in an exchange: `acquire` (optional), one or more `submit`s, `wait`,
/// `release`; then again. Tags of one exchange are submitted one after the other, the last submit
/// says so. All ranks of the group submit the same slices of the same tags in the same order.
/// Calls enqueue on streams and return; only `prepare` may wait for peers or allocate.
///
/// A *bare* exchanger moves bytes between `submit` and `wait` and leaves what has to be done to
/// them before and after to `stage` and `unstage`, so that a caller can keep that off the clock.
/// Whoever calls both, with every exchanger, gets whole exchanges of each of them; for a bare one
/// the source is read at `stage`, and the target holds what arrived after `unstage`.
///
/// What holds, on every implementation:
///  1. source:  no byte is read before the stream given to `submit` reached that submit; after
///              `wait` the source may be overwritten.
///  2. arrival: after `wait` the stream sees every rank's bytes.
///  3. reuse:   no target is written before its rank released its previous contents.
///  4. progress: no wait depends on a value that can be overwritten before it is seen.
///  5. agreement: what `prepare` decides holds on all ranks. Afterwards a failure is
///              `exchange_broken`.
///
/// A call out of this order throws `std::logic_error` and enqueues nothing.
class exchanger {
 public:
  virtual ~exchanger() = default;

  /// Makes the targets of `specs` current for their tags. Collective when one of them is new to
  /// the exchanger (then it allocates and maps); local and free otherwise. Throws `not_eligible`
  /// on every rank alike if this exchanger can't serve them here.
  virtual void prepare(std::span<const tensor_spec> specs) = 0;

  /// Orders `on` after this rank's last release of `tag`: what follows on it may write the own
  /// chunk into the target.
  virtual target_view acquire(std::string_view tag, stream& on) = 0;

  /// Announces a submit of the exchange that follows, with the same arguments; all of them, in
  /// order, come before the first submit. Reads the source. Only bare exchangers do anything here.
  virtual void stage(std::string_view /*tag*/, const slice& /*part*/, const source_view& /*source*/,
                     stream& /*on*/, submit_order /*order*/) {}

  /// Moves `part` of the source as it is when `on` reaches this point. Throws `invalid_use` for a
  /// source that the device does not reach.
  virtual void submit(std::string_view tag, const slice& part, const source_view& source,
                      stream& on, submit_order order) = 0;

  /// Orders `on` after the arrival of the tag's whole exchange. Throws `std::logic_error` before
  /// that exchange's last submit.
  virtual target_view wait(std::string_view tag, stream& on) = 0;

  /// Brings what arrived into the tag's target, after its `wait`. Only bare exchangers do anything
  /// here.
  virtual void unstage(std::string_view /*tag*/, stream& /*on*/) {}

  /// The readers enqueued on `on` so far were the last: peers may write the target again.
  virtual void release(std::string_view tag, stream& on) = 0;

  /// Empty if whole exchanges may be captured into a graph and replayed, else the reason in words.
  /// One that can be captured wants its tags always exchanged in the same company.
  virtual std::string why_not_captured() const {
    return "it was not made to be captured into a graph";
  }

  /// Waits on the host until everything that this exchanger enqueued on streams of its own has
  /// run; false when `deadline` passes first. Throws `exchange_broken` once a peer is known to be
  /// gone, where the group knows (`group::watched`).
  virtual bool synchronize(std::chrono::steady_clock::time_point deadline) = 0;

  /// Device memory that this exchanger holds on this rank, in bytes.
  virtual std::size_t memory_bytes() const = 0;

  /// Bytes that this rank sends to others in one exchange of the prepared tensors beyond theirs.
  virtual std::size_t padding_bytes() const { return 0; }

  /// The way that the tensors prepared last take; empty for an exchanger that has only one.
  virtual exchange_way taken() const { return {}; }

  /// The latest exchange and its tags, in words, e.g. "epoch 7 (tags v, q, k)". Local and quick.
  virtual std::string standing() const = 0;

  /// That, and who is waited for: e.g. "epoch 7 (tags v, q, k); rank 2 has not delivered epoch 6".
  /// Reads device memory; call it only on failure.
  virtual std::string diagnose() = 0;
};

}  // namespace ithaca
