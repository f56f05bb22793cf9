#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define ITHACA_HOST_DEVICE __host__ __device__
#else
#define ITHACA_HOST_DEVICE
#endif

namespace ithaca {

/// Names one version of one tensor's contents.
struct pattern_key {
  std::uint32_t rank = 0;       ///< global rank that owns the source
  std::uint32_t tag = 0;        ///< index of the tensor's tag
  std::uint64_t iteration = 0;  ///< differs for every exchange of a run
};

/// splitmix64's finaliser: a bijection whose output bits all depend on all input bits
/// (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
ITHACA_HOST_DEVICE constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// The seed of a key's contents, computed once a launch.
ITHACA_HOST_DEVICE constexpr std::uint64_t pattern_seed(const pattern_key& key) {
  return mix(mix((std::uint64_t{key.rank} << 32) + key.tag + 1) ^ key.iteration);
}

/// Eight bytes of contents: those at bytes [8 word, 8 word + 8) of a source tensor in its logical
/// order (batch, local row, global head, channel), whatever its strides are.
ITHACA_HOST_DEVICE constexpr std::uint64_t pattern_word(std::uint64_t seed, std::uint64_t word) {
  return mix(seed + word * 0x9e3779b97f4a7c15ull);
}

}  // namespace ithaca
