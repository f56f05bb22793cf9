#!/usr/bin/env python3
"""Measures what PyTorch offers for the scatter of Q, K and V: all_to_all_single with pack and
relayout, and symmetric memory; in the way of 'ithaca-bench scatter', every byte checked.

Usage: torchrun --standalone --nproc-per-node=2 scripts/compare_pytorch.py [options; see --help]

Exit codes of a rank: 0 good, 1 bytes were wrong, 2 bad use, 3 the exchange broke. torchrun itself
returns 1 if any rank's was not 0.
"""

import os
import sys
import time
import traceback

from pytorch import options
from pytorch.errors import BadUse, ExchangeBroken

# torchrun ends all ranks soon after the first that fails: time for rank 0 to say its line.
LAST_WORDS_S = 1


def set_environment() -> None:
    """Read by NCCL, gloo and PyTorch when they are loaded. NVLink multicast is not compared, and
    not usable on every machine; the ranks are those of one host, whatever its name resolves to."""
    os.environ["NCCL_NVLS_ENABLE"] = "0"
    os.environ["TORCH_SYMM_MEM_DISABLE_MULTICAST"] = "1"
    os.environ["TORCH_SYMMMEM"] = "CUDA"  # symmetric memory of PyTorch's own, not of a library
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")


def refuse(reason: str) -> int:
    if os.environ.get("RANK", "0") == "0":
        print(f"compare_pytorch: {reason}", file=sys.stderr, flush=True)
    else:
        time.sleep(LAST_WORDS_S)
    return 2


def break_off(reason: str) -> int:
    """Without destructors, which would wait for a stream that is stuck."""
    print(f"compare_pytorch: rank {os.environ.get('RANK')}: {reason}", file=sys.stderr, flush=True)
    time.sleep(LAST_WORDS_S)
    os._exit(3)


def measure(chosen: options.Options, launch: options.Launch) -> int:
    try:
        import torch  # noqa: F401
        import torch.distributed
    except ImportError as error:
        raise BadUse(f"this python3 ({sys.executable}) can't import torch: {error}") from error
    if not torch.distributed.is_available():
        raise BadUse("this PyTorch was built without torch.distributed: install another build")
    from pytorch import campaign, world

    ranks = world.World(launch, chosen.device, chosen.timeout_s)
    try:
        good = campaign.run(chosen, ranks)
    except BadUse:  # on all ranks alike
        ranks.close()
        raise
    ranks.close()
    return 0 if good else 1


def main(arguments: list[str]) -> int:
    set_environment()
    try:
        chosen = options.parse(arguments)
        return measure(chosen, options.read_launch(os.environ.get))
    except BadUse as refused:
        return refuse(str(refused))
    except ExchangeBroken as broken:
        return break_off(f"the exchange broke: {broken}")
    except Exception as failure:  # a rank that fails must end, whatever it holds
        traceback.print_exc()
        return break_off(str(failure))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
