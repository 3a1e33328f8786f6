"""The child process of `llamacpp:PATH.gguf`: serves the model until its standard input closes."""

from __future__ import annotations

import os
import sys


def main(path: str, context: int) -> None:
    """Load, print the address, wait for the parent to go."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = context
    params.n_parallel = 1
    # Half the logical processors: its threads spin while they wait for each other, and lose all
    # speed when they share a core.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(
        1, (os.cpu_count() or 2) // 2
    )
    params.port = 0  # any free one, on the loopback interface
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
