"""The tensors of one exchange on one rank: sources with contents that differ by rank, tag, position
and iteration, and the check of what arrives."""

import torch

from . import pattern
from .scenarios import Scenario
from .world import World

_DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32, "fp8": torch.uint8}
_POISON = 0xA5
# Words that one step of filling or checking holds: 32 MiB and a few temporaries.
_WORDS_AT_ONCE = 1 << 22


def dtype_of(scenario: Scenario) -> torch.dtype:
    """fp8 travels as opaque bytes, as in every arm of ithaca-bench."""
    return _DTYPES[scenario.dtype]


def _mix(x: torch.Tensor) -> torch.Tensor:
    """`pattern.mix` of every element, in place; int64 wraps and shifts in its sign."""
    for shift, factor in zip(pattern.SHIFTS, pattern.FACTORS, strict=False):
        x ^= (x >> shift) & ((1 << (64 - shift)) - 1)
        x *= pattern.signed(factor)
    last = pattern.SHIFTS[2]
    x ^= (x >> last) & ((1 << (64 - last)) - 1)
    return x


def pattern_words(seed: int, words: torch.Tensor) -> torch.Tensor:
    """The contents at these word positions (int64, overwritten)."""
    words *= pattern.signed(pattern.GOLDEN)
    words += pattern.signed(seed)
    return _mix(words)


class Workload:
    """Before an exchange `fill`, after it `check` and `poison`; all on the current stream."""

    def __init__(self, world: World, scenario: Scenario) -> None:
        self.world, self.scenario = world, scenario
        self.sources = self._make_sources()  # (B, S_local, H, D), by tensor
        self._mismatched = torch.zeros((), dtype=torch.int64, device=world.device)

    def _make_sources(self) -> list[torch.Tensor]:
        of, make = self.scenario, self.empty
        batch, tokens, head_dim = of.shape.batch, of.tokens_a_rank, of.shape.head_dim
        heads = [tensor.heads for tensor in of.tensors]
        if not of.shape.fused:
            return [make(batch, tokens, count, head_dim) for count in heads]
        return list(make(batch, tokens, sum(heads), head_dim).split(heads, dim=2))

    def empty(self, *size: int) -> torch.Tensor:
        return torch.empty(size, dtype=dtype_of(self.scenario), device=self.world.device)

    def target_size(self, index: int) -> tuple[int, int, int, int]:
        """(B, S_global, H_local, D) of one tensor."""
        of = self.scenario
        heads = of.tensors[index].heads // of.degree
        return of.shape.batch, of.shape.tokens, heads, of.shape.head_dim

    def fill(self, iteration: int) -> None:
        """Gives every source the contents of `iteration`."""
        for index, source in enumerate(self.sources):
            seed = pattern.pattern_seed(self.world.rank, index, iteration)
            for part, words in self._parts(index, source, first_head=0):
                part.copy_(pattern_words(seed, words))

    def check(self, targets: list[torch.Tensor], iteration: int) -> None:
        """Compares whole targets with what an exchange must have brought. What must be where is
        worked out here, from ranks and positions, not from what moved it."""
        tokens, rank = self.scenario.tokens_a_rank, self.world.rank
        for index, target in enumerate(targets):
            own_heads = target.shape[2]
            for sender in range(self.world.size):
                block = target[:, sender * tokens : (sender + 1) * tokens]
                seed = pattern.pattern_seed(sender, index, iteration)
                for part, words in self._parts(index, block, first_head=rank * own_heads):
                    expected = pattern_words(seed, words).view(torch.uint8)
                    self._mismatched += (part.contiguous().view(torch.uint8) != expected).sum()

    def _parts(self, index: int, block: torch.Tensor, first_head: int):
        """Pieces of `block`, which holds the same rows of source `index` and some of its heads from
        `first_head` on, as words (rows, words of a row), each with its words' positions in the
        source."""
        of = self.scenario
        head_words = of.head_bytes // pattern.WORD_BYTES
        source_row = of.tensors[index].heads * head_words
        row_words = block.shape[2] * head_words
        columns = torch.arange(row_words, device=block.device) + first_head * head_words
        rows_at_once = max(1, _WORDS_AT_ONCE // row_words)
        for batch in range(block.shape[0]):
            as_words = block[batch].view(torch.int64).flatten(1)
            for first in range(0, block.shape[1], rows_at_once):
                part = as_words[first : first + rows_at_once]
                rows = torch.arange(first, first + len(part), device=block.device)
                rows += batch * of.tokens_a_rank
                yield part, rows[:, None] * source_row + columns[None, :]

    def poison(self, targets: list[torch.Tensor]) -> None:
        """So that what does not arrive shows."""
        for target in targets:
            target.view(torch.uint8).fill_(_POISON)

    def take_mismatched(self) -> int:
        """Wrong bytes that this rank's checks found since the last call; waits for them."""
        found = int(self._mismatched.item())
        self._mismatched.zero_()
        return found
