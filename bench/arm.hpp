#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/device.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "bench/exchange_facts.hpp"
#include "bench/exchange_mode.hpp"
#include "traces/claim.hpp"

namespace ithaca {
class nccl_communicator;
}

namespace ithaca::bench {

/// A quarter of an H200's SMs fills the links, as far as stores can.
inline constexpr int default_push_ctas = 32;

/// What the arms of one Ulysses group run on, and share.
struct arm_site {
  group& ulysses;
  device& on;
  std::string nccl_file = {};  ///< the library to open; empty: by name
  /// Opened by the first arm that needs them.
  std::shared_ptr<nccl_communicator> nccl = nullptr;
  std::shared_ptr<nccl_communicator> nccl_zero_cta = nullptr;
  std::string nccl_version = {};      ///< of the library that was opened
  int push_ctas = default_push_ctas;  ///< thread blocks of a push kernel
  /// Bytes a peer up to which a push exchange is quicker than copy engines; measured where an arm
  /// needs it.
  std::optional<std::size_t> crossover_bytes = std::nullopt;
};

/// The exchange that a claim is made for.
struct claimed_exchange {
  std::span<const tensor_spec> specs;  ///< in the order of submission
  int rank;                            ///< group rank
  std::string_view way;                ///< the exchanger's, if it has several
  /// By tensor, where they are submitted in slices.
  std::span<const submitted_parts> parts = {};
};

exchange_facts facts_of(const claimed_exchange& of);

/// One exchanger with its options, under one name.
struct arm {
  std::string_view name;
  std::string_view summary;  ///< what it is, in one line
  std::vector<device_kind> devices;
  /// Collective. Throws `not_eligible` on every rank alike if it can't run here.
  std::unique_ptr<exchanger> (*make)(arm_site& site);
  /// What one rank does in one exchange, once the targets have been used before.
  traces::claim (*claim)(const claimed_exchange& of);
  /// Copies of the targets' bytes that it holds on the device: 1 writes them in place.
  int memory_factor = 1;
  /// Whether `make` wants to know the crossover of push kernel and copy engine.
  bool needs_crossover = false;
  /// Its exchanger is bare (see `exchanger`): only what moves bytes lies between the clock's ends.
  bool bare = false;
  /// Nothing keeps its exchanges apart but their caller: each must have been read on every rank
  /// before the next one begins (guarantee 3 is off).
  bool reuse_by_caller = false;
  /// Another arm with one option changed, to see what that option is worth: never among "all".
  bool ablation = false;

  bool runs_on(device_kind kind) const;
  /// Empty, or why it can't be measured that way.
  std::string why_not(exchange_mode mode) const;
};

}  // namespace ithaca::bench
