#include "backend/direct_options.hpp"

#include <algorithm>

#include "kernels/barrier.hpp"
#include "kernels/push_exchange.hpp"

namespace ithaca {
namespace {

constexpr int most_ranks_of_push_exchange = static_cast<int>(kernels::max_signal_words) + 1;

int degree_of(std::span<const tensor_spec> specs) {
  return specs.empty() ? 1 : specs.front().geometry.layout.degree();
}

/// The most that any rank sends to a peer, on average over its peers.
std::size_t bytes_a_peer(std::span<const tensor_spec> specs) {
  std::size_t most = 0;
  const int degree = degree_of(specs);
  for (int rank = 0; rank < degree; ++rank) {
    std::size_t bytes = 0;
    for (const tensor_spec& spec : specs) bytes += spec.geometry.peer_bytes(rank);
    const auto peers = static_cast<std::size_t>(std::max(1, degree - 1));
    most = std::max(most, (bytes + peers - 1) / peers);
  }
  return most;
}

std::size_t piece_count(std::span<const tensor_spec> specs) {
  std::size_t pieces = 0;
  for (const tensor_spec& spec : specs) pieces += piece_count(spec.geometry);
  return pieces;
}

std::string too_many(const std::string& what, std::size_t pieces, std::size_t most) {
  return what + " takes " + std::to_string(pieces) +
         " pitched pieces (one a rank and batch), and a kernel at most " + std::to_string(most);
}

std::string why_not_reused(const direct_options& options) {
  if (options.reuse == target_reuse::n_buffers && options.target_buffers < 2) {
    return "reuse by n buffers takes two targets a tag or more";
  }
  return "";
}

std::string why_not_flagged(const direct_options& options) {
  if (options.words == signal_words::epochs) return "";
  if (options.reuse != target_reuse::handshake) {
    return "flags are taken down by a handshake: they can't do without it";
  }
  if (options.moves == mover::push_exchange || options.moves == mover::hybrid) {
    return "a push exchange signals epochs, which a graph would replay: choose another mover";
  }
  return "";
}

std::string why_not_paced(const direct_options& options) {
  if (options.order != peer_order::paced) return "";
  if (options.words == signal_words::flags) {
    return "paced steps are counted over all exchanges, which a graph would replay: choose epochs";
  }
  if (options.moves == mover::push_kernel || options.moves == mover::push_exchange) {
    return "a push kernel sends to all peers at a time: it has no steps to pace";
  }
  return "";
}

std::string why_not_in_lanes(const direct_options& options) {
  if (options.lanes == 0) return "copies need one lane at least";
  if (options.lanes == 1) return "";
  if (options.moves != mover::copy_engine) return "lanes are of copies: choose copy engines";
  if (options.order == peer_order::paced) return "paced steps follow each other: choose one lane";
  if (options.words == signal_words::flags) {
    return "flags are taken down by one stream: choose epochs, or one lane";
  }
  return "";
}

std::string why_not_by_tensor(const direct_options& options) {
  if (options.arrivals == arrival_scope::grouped) return "";
  if (options.words == signal_words::flags) {
    return "flags tell of whole exchanges: choose epochs, or grouped arrival";
  }
  if (options.reuse == target_reuse::n_buffers) {
    return "with n buffers arrival speaks for a whole exchange: choose a handshake";
  }
  if (options.moves == mover::push_exchange || options.moves == mover::hybrid) {
    return "a push exchange arrives as a whole: choose another mover";
  }
  return "";
}

std::string why_not_packed(const direct_options& options) {
  if (options.source == copy_source::pitched) return "";
  if (options.moves != mover::copy_engine) {
    return "a push kernel reads rows as they lie: pack for copy engines only";
  }
  if (options.words == signal_words::flags) {
    return "what is packed waits for copies outside of a capture: choose epochs";
  }
  return "";
}

std::string why_not_by_kernel(const direct_options& options) {
  if (options.signals != signal_kind::kernel) return "";
  if (options.awaiting_blocks <= 0) return "signals by kernel take one thread block at least";
  if (options.words == signal_words::flags) {
    return "kernels signal epochs, which a graph would replay: choose stream writes";
  }
  if (options.moves == mover::push_exchange || options.moves == mover::hybrid) {
    return "a push exchange signals by itself: choose another mover";
  }
  return "";
}

}  // namespace

std::string_view to_string(mover moves) {
  switch (moves) {
    case mover::copy_engine:
      return "copy-engine";
    case mover::push_kernel:
      return "push";
    case mover::push_exchange:
      return "push-exchange";
    case mover::hybrid:
      break;
  }
  return "hybrid";
}

std::size_t piece_count(const tensor_geometry& tensor) {
  return static_cast<std::size_t>(tensor.layout.extents().batch) *
         static_cast<std::size_t>(tensor.layout.degree());
}

std::size_t slots_of_a_tag(const direct_options& options) {
  return options.reuse == target_reuse::n_buffers ? options.target_buffers : 1;
}

std::size_t lanes_of(const direct_options& options, int group_size) {
  const auto peers = static_cast<std::size_t>(std::max(1, group_size - 1));
  return std::clamp<std::size_t>(options.lanes, 1, peers);
}

std::string why_not_combined(const direct_options& options) {
  for (const auto& why_not : {why_not_reused, why_not_flagged, why_not_paced, why_not_in_lanes,
                              why_not_by_tensor, why_not_packed, why_not_by_kernel}) {
    if (std::string reason = why_not(options); !reason.empty()) return reason;
  }
  return "";
}

bool goes_by_push_exchange(const direct_options& options, std::span<const tensor_spec> specs) {
  if (options.moves == mover::push_exchange) return true;
  return options.moves == mover::hybrid && options.push_exchange_up_to_bytes > 0 &&
         bytes_a_peer(specs) <= options.push_exchange_up_to_bytes &&
         piece_count(specs) <= kernels::max_exchange_regions &&
         degree_of(specs) <= most_ranks_of_push_exchange;
}

signal_kind kind_beside_arrival(const direct_options& options) {
  return options.signals == signal_kind::kernel ? signal_kind::stream_write : options.signals;
}

std::string why_not_moved(const direct_options& options, std::span<const tensor_spec> specs) {
  if (options.signals == signal_kind::kernel &&
      degree_of(specs) > static_cast<int>(kernels::max_barrier_words) + 1) {
    return "a kernel signals at most " + std::to_string(kernels::max_barrier_words) + " peers";
  }
  if (options.moves == mover::push_exchange) {
    const std::size_t pieces = piece_count(specs);
    if (pieces > kernels::max_exchange_regions) {
      return too_many("the exchange", pieces, kernels::max_exchange_regions);
    }
    if (degree_of(specs) > most_ranks_of_push_exchange) {
      return "a push exchange signals at most " + std::to_string(most_ranks_of_push_exchange - 1) +
             " peers";
    }
    return "";
  }
  if (options.own == own_chunk_way::kernel) {
    for (const tensor_spec& spec : specs) {
      const auto pieces = static_cast<std::size_t>(spec.geometry.layout.extents().batch);
      if (pieces > kernels::max_copy_regions) {
        return too_many("the own chunk of tag " + spec.tag, pieces, kernels::max_copy_regions);
      }
    }
  }
  if (options.moves != mover::push_kernel && options.source != copy_source::packed) return "";
  for (const tensor_spec& spec : specs) {
    const std::size_t pieces = piece_count(spec.geometry);
    if (pieces > kernels::max_copy_regions) {
      return too_many("tag " + spec.tag, pieces, kernels::max_copy_regions);
    }
  }
  return "";
}

}  // namespace ithaca
