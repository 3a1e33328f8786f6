"""A Ray cluster of two nodes in a network of its own, driven by JSON lines; see test_ray.py.

    unshare -n --pid --fork --kill-child --mount-proc python ray_cluster.py FOLDER

Ray listens on all interfaces whatever it is told, so it gets a namespace in which there is only
the loopback. Nodes are stopped by killing their processes; all end with this one.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])
PORT = 6399
ADDRESS = f"127.0.0.1:{PORT}"
ENV = {
    **os.environ,
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN_PATH": str(FOLDER / "token"),
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ADDRESS": ADDRESS,
    "RAY_gcs_rpc_server_reconnect_timeout_s": "15",  # a minute else, until a dead head is noticed
}


class Cluster:
    """The head and one more node, one core each."""

    def __init__(self) -> None:
        self.nodes: dict[str, subprocess.Popen[bytes]] = {}
        self.commands: list[subprocess.Popen[str]] = []

    def start(self, name: str) -> None:
        words = [f"--address={ADDRESS}"]
        if name == "head":
            words = ["--head", f"--port={PORT}", "--include-dashboard=false"]
            words += [f"--temp-dir={FOLDER / 'ray'}"]
        ray = Path(sys.executable).with_name("ray")
        env = {key: value for key, value in ENV.items() if key != "RAY_ADDRESS"}
        with (FOLDER / f"{name}.log").open("ab") as log:
            self.nodes[name] = subprocess.Popen(
                [str(ray), "start", *words, "--num-cpus=1", "--object-store-memory=100000000",
                 "--block"],
                env=env, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        if name == "head":
            while not is_open(PORT):
                assert self.nodes[name].poll() is None, "the head ended"
                time.sleep(0.1)

    def wait_for(self, nodes: int) -> None:
        """Until the cluster has so many nodes that live."""
        code = (
            "import ray, time\nray.init(address='auto', log_to_driver=False)\n"
            f"while sum(n['Alive'] for n in ray.nodes()) != {nodes}: time.sleep(0.1)\n"
        )
        subprocess.run([sys.executable, "-c", code], env=ENV, check=True, capture_output=True)

    def kill(self, name: str) -> None:
        """All processes of a node at once, as when its machine loses power."""
        node = self.nodes.pop(name)
        for pid in [*children(node.pid), node.pid]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        node.wait()

    def begin(self, words: list[str]) -> int:
        """An `oyer` command; its number."""
        command = [sys.executable, "-m", "oyer", *words]
        pipe = subprocess.PIPE
        started = subprocess.Popen(
            command, env=ENV, text=True, stdout=pipe, stderr=pipe, stdin=subprocess.DEVNULL
        )
        self.commands.append(started)
        return len(self.commands) - 1

    def finish(self, number: int) -> dict[str, Any]:
        command = self.commands[number]
        out, err = command.communicate()
        return {"code": command.returncode, "out": out, "err": err}


def children(pid: int) -> list[int]:
    """All that descend from a process."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        found += [*children(int(child)), int(child)]
    return found


def is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def serve() -> None:
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    (FOLDER / "token").write_text("0" * 64)
    cluster = Cluster()
    for line in sys.stdin:
        name, *values = json.loads(line)
        answer = getattr(cluster, name)(*values)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
