"""The contents of sources, as kernels/element_pattern.hpp defines them: they differ by rank, tag,
position and iteration. Words are eight bytes, counted in the tensor's logical order."""

GOLDEN = 0x9E3779B97F4A7C15
# splitmix64's finaliser: shift, factor; shift, factor; shift.
SHIFTS = (30, 27, 31)
FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
WORD_BYTES = 8
_WORD = (1 << 64) - 1


def mix(x: int) -> int:
    for shift, factor in zip(SHIFTS, FACTORS, strict=False):
        x ^= x >> shift
        x = (x * factor) & _WORD
    return x ^ (x >> SHIFTS[2])


def pattern_seed(rank: int, tag: int, iteration: int) -> int:
    """The seed of one version of one tensor's contents."""
    return mix(mix(((rank << 32) + tag + 1) & _WORD) ^ iteration)


def pattern_word(seed: int, word: int) -> int:
    return mix((seed + word * GOLDEN) & _WORD)


def signed(x: int) -> int:
    """The same 64 bits as a signed number, as PyTorch's int64 holds them."""
    return x - (1 << 64) if x >> 63 else x
