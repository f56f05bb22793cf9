#pragma once

#include "bench/arm.hpp"

namespace ithaca::bench {

/// What direct_exchanger does, by what moves the bytes. To each peer go one epoch for its data and
/// one for the released targets; waited for are the peers' data, and the release of what is
/// written.

/// Nothing but pitched copies on copy engines, and signals.
traces::claim copy_engine_claim(const claimed_exchange& of);

/// And in paced order, among more than two ranks: every step of every submit is told to a rank, and
/// waits for that of another, also where no bytes go.
traces::claim copy_engine_paced_claim(const claimed_exchange& of);

/// As the first, with arrival per tensor.
traces::claim copy_engine_per_tensor_claim(const claimed_exchange& of);

/// As the first, with a kernel for each own chunk instead of copies.
traces::claim copy_engine_own_kernel_claim(const claimed_exchange& of);

/// As the first, with a kernel for each tensor that packs what goes to peers.
traces::claim copy_engine_packed_claim(const claimed_exchange& of);

/// As the first, with a kernel that signals arrival and one that awaits it.
traces::claim copy_engine_barrier_claim(const claimed_exchange& of);

/// As the first, with arrivals for its only signals: of targets nothing is said.
traces::claim copy_engine_arrival_claim(const claimed_exchange& of);

/// As the first, with flags: each is put up by the one rank, and awaited and taken down by the
/// other, also where no bytes go.
traces::claim copy_engine_flags_claim(const claimed_exchange& of);

/// One kernel a tensor, which stores all that goes to peers; the own chunk is copied.
traces::claim push_each_claim(const claimed_exchange& of, const char* kernel);

/// One kernel for all tensors, which also signals and waits; only the released targets have an
/// epoch of their own.
traces::claim push_exchange_claim(const claimed_exchange& of);

}  // namespace ithaca::bench
