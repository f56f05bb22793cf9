#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "backend/group.hpp"

namespace ithaca::bench {

/// The NCCL that a person named. Both empty: nobody did, and arms find one by name.
struct chosen_nccl {
  std::string file = {};
  std::string version = {};
};

/// Looks at the library of `--nccl PATH`. Collective. Throws `invalid_use` on every rank alike if
/// this build has no NCCL, `named` is no library that an arm could use, or ranks see different
/// versions there.
chosen_nccl choose_nccl(const std::optional<std::filesystem::path>& named, group& world);

}  // namespace ithaca::bench
