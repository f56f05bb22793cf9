#include "bench/nccl_choice.hpp"

#include <stdexcept>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#ifdef ITHACA_WITH_NCCL
#include "backend/nccl/nccl_exchanger.hpp"
#endif

namespace ithaca::bench {
namespace {

#ifdef ITHACA_WITH_NCCL
chosen_nccl look_at(const std::filesystem::path& named) {
  chosen_nccl found;
  found.file = nccl_file(named);
  found.version = usable_nccl_version(found.file);
  return found;
}
#else
chosen_nccl look_at(const std::filesystem::path&) {
  throw not_eligible("this build has no NCCL: configure where CUDA and nccl.h are found");
}
#endif

}  // namespace

chosen_nccl choose_nccl(const std::optional<std::filesystem::path>& named, group& world) {
  if (!named) return {};
  chosen_nccl found;
  std::string refusal;
  try {
    found = look_at(*named);
  } catch (const std::runtime_error& refused) {
    refusal = "--nccl '" + named->string() + "': " + refused.what();
  }
  require_valid(world, refusal);
  require_same(world, "NCCL versions", found.version);
  return found;
}

}  // namespace ithaca::bench
