#include "backend/communicator.hpp"

#include "backend/direct_exchanger.hpp"
#include "bench/arms/direct_claims.hpp"
#include "bench/arms/table.hpp"

namespace ithaca::bench {
namespace {

/// The table's arms by which a communicator falls back, by the device's kind.
std::vector<std::string_view> fallbacks(device_kind kind) {
  return {"copy-engine", "copy-engine-ipc", default_reference(kind)};
}

std::unique_ptr<exchanger> make(arm_site& site) {
  std::vector<transport_choice> choices;
  for (const std::string_view name : fallbacks(site.on.kind())) {
    choices.push_back(
        {std::string(name), [&site, what = find_arm(name)] { return what->make(site); }});
  }
  return std::make_unique<communicator>(site.ulysses, std::move(choices));
}

/// What the arm claims that was chosen, on the way that it took if it has several.
traces::claim claim(const claimed_exchange& of) {
  const std::size_t slash = of.way.find('/');
  const bool has_several = slash != of.way.npos;
  return find_arm(of.way.substr(0, slash))
      ->claim({of.specs, of.rank, has_several ? of.way.substr(slash + 1) : std::string_view(),
               of.parts});
}

}  // namespace

arm communicator_arm() {
  return {"communicator",
          "the first that can serve here of copy-engine, copy-engine-ipc and nccl (host: mpi)",
          {device_kind::cuda, device_kind::host},
          make,
          claim,
          3};
}

}  // namespace ithaca::bench
