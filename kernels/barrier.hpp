#pragma once

#include <cstddef>
#include <vector>

#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

/// More than this doesn't fit one launch.
inline constexpr std::size_t max_barrier_words = 16;

/// Writes words, in any order, behind all that its stream holds: with one thread each, of one block
/// ("signal_kernel").
kernel_call signal(std::vector<signalled_word> words);

/// Ends once every word has come ("await_kernel"). `blocks` thread blocks of 128 threads look, each
/// at all words, and keep their places on SMs until then: one is enough.
///
/// Both throw `std::length_error` for more than `max_barrier_words`, and `await`
/// `std::invalid_argument` unless `blocks` > 0.
kernel_call await(std::vector<awaited_word> words, int blocks);

}  // namespace ithaca::kernels
