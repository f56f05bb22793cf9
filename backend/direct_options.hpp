#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "backend/device.hpp"
#include "backend/exchanger.hpp"
#include "backend/memory_sharing.hpp"
#include "backend/peer_routes.hpp"
#include "backend/signal_words.hpp"
#include "backend/signaller.hpp"
#include "kernels/push.hpp"

namespace ithaca {

/// How a writer knows that a target is free.
enum class target_reuse {
  /// Its reader says so, by a signal of its own.
  handshake,
  /// Every tag has several targets, taken in turn. A rank's data of one exchange follows its
  /// releases of those before the last `target_buffers - 1`, so that its arrival says so, too.
  n_buffers,
  /// The caller vouches for it (a collective between two uses of a tag): guarantee 3 is off.
  external,
};

/// What moves the bytes. A push kernel a tensor stores into the peers' targets from a few thread
/// blocks: it starts sooner than a copy engine, and takes SMs while it runs. A push exchange is one
/// kernel on the caller's own stream at the exchange's last submit, signals and all: nothing passes
/// from one stream operation to the next, which is what a small exchange spends its time on.
/// A hybrid is a push exchange for small tensors, and copy engines for others.
enum class mover { copy_engine, push_kernel, push_exchange, hybrid };
std::string_view to_string(mover moves);

/// Ends the name of the way of an exchange whose signals are staged for want of stream writes.
inline constexpr std::string_view staged_suffix = "-staged";

/// What arrival is told of: a whole exchange behind its last submit, or each tensor behind the
/// submit that brings its last rows and heads. Then nothing more of it may follow in that exchange;
/// what is submitted only in part is told of behind the exchange's last submit. A signal a peer and
/// tensor.
enum class arrival_scope { grouped, per_tensor };

/// How the own chunk gets into its target where no producer writes it: by copies on a stream of
/// their own, beside those to the peers; by copies behind those to the peers, on their stream; by a
/// kernel on the stream of the submit. A push exchange takes it along in any case.
enum class own_chunk_way { own_stream, copy_stream, kernel };

/// What copies to peers read: the strided rows themselves, or what a kernel on the stream of the
/// submit has packed (packed_source).
enum class copy_source { pitched, packed };

struct direct_options {
  peer_order order = peer_order::rotated;
  /// Streams that copy to the peers side by side (copy_lanes), 1 or more; as many as peers at most.
  std::size_t lanes = 1;
  stream_priority copy_priority = stream_priority::high;
  target_reuse reuse = target_reuse::handshake;
  /// Targets of a tag with `n_buffers`: 2 or more.
  std::size_t target_buffers = 2;
  /// How targets and signals are mapped between processes.
  memory_sharing sharing = memory_sharing::descriptor;
  mover moves = mover::copy_engine;
  copy_source source = copy_source::pitched;
  /// `flags` where exchanges are captured into graphs; they need `handshake`, and copies (or push
  /// kernels) behind which a stream writes them.
  signal_words words = signal_words::epochs;
  /// Where stream writes into peers turn out not to work, signals are staged anyway. `kernel` is
  /// for arrival alone, which a kernel then awaits, too: a barrier on SMs. All else that ranks tell
  /// each other is written by streams.
  signal_kind signals = signal_kind::stream_write;
  /// Thread blocks that await arrival with `signal_kind::kernel`, and keep their SMs meanwhile.
  int awaiting_blocks = 1;
  arrival_scope arrivals = arrival_scope::grouped;
  own_chunk_way own = own_chunk_way::own_stream;
  kernels::push_options push = {};
  /// Thread blocks of a push exchange: many, since it is short.
  int push_exchange_ctas = 128;
  /// A hybrid's limit: tensors that are prepared together go by push exchange if they bring no peer
  /// more bytes than this, and are no more pieces than it takes. 0: never.
  std::size_t push_exchange_up_to_bytes = 0;
};

/// Targets that a tag has.
std::size_t slots_of_a_tag(const direct_options& options);

/// Copy streams that the options come to in a group of so many ranks.
std::size_t lanes_of(const direct_options& options, int group_size);

/// The kind of signals that don't tell of arrival.
signal_kind kind_beside_arrival(const direct_options& options);

/// Empty if the options go together, else the reason in words.
std::string why_not_combined(const direct_options& options);

/// The pitched pieces that a submit of the tensor comes to, at most: one for each rank and batch.
/// The same on every rank, so that all come to the same way.
std::size_t piece_count(const tensor_geometry& tensor);

/// Whether tensors that are prepared together go by push exchange. The same on every rank.
bool goes_by_push_exchange(const direct_options& options, std::span<const tensor_spec> specs);

/// Empty if the options' mover can move `specs` on any rank, else the reason in words.
std::string why_not_moved(const direct_options& options, std::span<const tensor_spec> specs);

}  // namespace ithaca
