"""The statistics of reports/statistics.cpp and reports/sensitivity.cpp, and the order of bench/round_order.cpp, digit by digit:
the same samples and seed give the same figures and intervals as in ithaca-bench."""

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

Interval = tuple[float, float]

BOOTSTRAP_RESAMPLES = 2000
_WORD = (1 << 64) - 1


class Mt19937_64:
    """`std::mt19937_64` (Nishimura, "Tables of 64-bit Mersenne twisters", 2000)."""

    _SIZE, _MIDDLE = 312, 156

    def __init__(self, seed: int) -> None:
        state = [seed & _WORD]
        for at in range(1, self._SIZE):
            last = state[-1]
            state.append((6364136223846793005 * (last ^ (last >> 62)) + at) & _WORD)
        self._state = state
        self._at = self._SIZE

    def __call__(self) -> int:
        """The next output, in [0, 2^64)."""
        if self._at == self._SIZE:
            self._twist()
        x = self._state[self._at]
        self._at += 1
        x ^= (x >> 29) & 0x5555555555555555
        x ^= (x << 17) & 0x71D67FFFEDA60000
        x ^= (x << 37) & 0xFFF7EEE000000000
        return x ^ (x >> 43)

    def _twist(self) -> None:
        state = self._state
        for at in range(self._SIZE):
            following = state[(at + 1) % self._SIZE]
            x = (state[at] & 0xFFFFFFFF80000000) | (following & 0x7FFFFFFF)
            odd = 0xB5026F5AA96619E9 if x & 1 else 0
            state[at] = state[(at + self._MIDDLE) % self._SIZE] ^ (x >> 1) ^ odd
        self._at = 0


def draw_below(bound: int, engine: Mt19937_64) -> int:
    """A number in [0, bound), each equally likely."""
    incomplete = (1 << 64) % bound
    output = engine()
    while output < incomplete:
        output = engine()
    return output % bound


def balanced_rounds(cells: int, rounds: int, seed: int) -> list[list[int]]:
    """The order of cells in each round: shuffled anew every `cells` rounds, rotated by one place
    from round to round within."""
    engine = Mt19937_64(seed)
    order = list(range(cells))
    every: list[list[int]] = []
    for number in range(rounds):
        if cells > 0 and number % cells == 0:
            for left in range(cells, 1, -1):
                other = draw_below(left, engine)
                order[left - 1], order[other] = order[other], order[left - 1]
        elif cells > 0:
            order = order[1:] + order[:1]
        every.append(list(order))
    return every


def percentile(values: Sequence[float], percent: float) -> float:
    """Percentile (0 to 100), linear between the closest ranks; of positive values."""
    ordered = sorted(values)
    position = (len(ordered) - 1) * percent / 100
    below = int(position)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    # std::lerp never passes the upper end.
    return min(high, low + (position - below) * (high - low))


def median(values: Sequence[float]) -> float:
    return percentile(values, 50)


def geometric_median(values: Sequence[float]) -> float:
    """The middle value, or the geometric mean of the two middle ones."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else math.sqrt(ordered[half - 1] * ordered[half])


def _bootstrap(
    rounds: Sequence[float], of: Callable[[Sequence[float]], float], seed: int
) -> tuple[float, Interval]:
    engine = Mt19937_64(seed)
    size = len(rounds)
    outcomes = [
        of([rounds[draw_below(size, engine)] for _ in range(size)])
        for _ in range(BOOTSTRAP_RESAMPLES)
    ]
    return of(rounds), (percentile(outcomes, 2.5), percentile(outcomes, 97.5))


def median_over_rounds(medians: Sequence[float], seed: int) -> tuple[float, Interval]:
    """The median of the rounds' medians, with its 95 % interval."""
    return _bootstrap(medians, median, seed)


def ratio_over_rounds(
    reference: Sequence[float], arm: Sequence[float], seed: int
) -> tuple[float, Interval]:
    """How many times as fast as the reference, paired by round, with its 95 % interval."""
    ratios = [theirs / ours for theirs, ours in zip(reference, arm, strict=True)]
    return _bootstrap(ratios, geometric_median, seed)


def log_standard_error(interval: Interval, rounds: Sequence[float]) -> float | None:
    """Of the logarithm of an estimate over the rounds of one launch; None with fewer than two."""
    count = len(rounds)
    if count < 2:
        return None
    logarithms = [math.log(each) for each in rounds]
    mean = sum(logarithms) / count
    squares = sum((each - mean) ** 2 for each in logarithms)
    low, high = interval
    of_interval = math.log(high / low) / (2 * NormalDist().inv_cdf(0.975))
    return max(of_interval, math.sqrt(math.pi / 2 * squares / (count - 1) / count))


def student_quantile(tail: float, degrees: float) -> float:
    """Of Student's t, by the expansion of Abramowitz and Stegun, 26.7.5."""
    z = -NormalDist().inv_cdf(tail)
    z2 = z * z
    first = z * (z2 + 1) / 4
    second = z * ((5 * z2 + 16) * z2 + 3) / 96
    third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384
    return z + (first + (second + third / degrees) / degrees) / degrees


def smallest_slowdown(error_of_run: float, comparisons: int, degrees_of_run: int) -> float:
    """That one run shows against a baseline of three like it, as a fraction: docs/gate.md."""
    error = error_of_run * math.sqrt(1 + 1 / 3)
    degrees = 3 * degrees_of_run
    alarm = student_quantile(0.01 / comparisons, degrees)
    doubtful = student_quantile(0.05 / comparisons, degrees)
    margin = max(0.025, math.expm1((alarm + doubtful) * error))
    return (1 + margin) * math.exp((alarm + student_quantile(0.05, degrees)) * error) - 1
