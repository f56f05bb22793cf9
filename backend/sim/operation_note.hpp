#pragma once

#include <cstdint>

#include "backend/sim/vector_clock.hpp"

namespace ithaca::sim {

/// What a story needs to know of an operation once it has run: small, since many are kept. Names
/// and tags are numbers of the world's `name_table`.
struct operation_note {
  moment at;                ///< of its accesses, or of what it wrote
  std::uint32_t party = 0;  ///< who did it: a host program or a stream, unique in the world
  std::uint16_t name = 0;
  std::uint16_t tag = 0;
  std::int32_t peer = -1;
  std::uint64_t exchange = 0;
};

}  // namespace ithaca::sim
