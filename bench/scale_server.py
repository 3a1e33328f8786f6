"""A PostgreSQL server of the bench's own, which it may restart. Use it in a `with`."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from pathlib import Path


class Server:
    """In a folder of its own, on a free port and a Unix socket; gone at the end."""

    def __enter__(self) -> Server:
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        if not programs:
            raise SystemExit("this bench needs Debian's postgresql")
        self.programs = programs[-1]
        self.folder = Path(tempfile.mkdtemp(prefix="oyer-scale-", dir="/tmp"))
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        data = str(self.folder / "data")
        self._run("initdb", "-D", data, "-U", "oyer", "--auth=trust", "-E", "UTF8", "--locale=C")
        self._control("start")
        return self

    def __exit__(self, *_: object) -> None:
        self._control("stop", "-m", "immediate")
        shutil.rmtree(self.folder)

    def restart(self) -> None:
        """As when its machine is rebooted: nobody is asked whether they are ready."""
        self._control("restart", "-m", "immediate")

    def new_store(self) -> str:
        """The address of an empty database."""
        name = f"oyer_{uuid.uuid4().hex[:8]}"
        host = ["-h", str(self.folder), "-p", str(self.port), "-U", "oyer"]
        self._run("createdb", *host, name)
        return f"postgresql://oyer@/{name}?host={self.folder}&port={self.port}"

    def _control(self, what: str, *words: str) -> None:
        data, log = str(self.folder / "data"), str(self.folder / "log")
        options = f"-p {self.port} -c listen_addresses= -k {self.folder} -c max_connections=200"
        self._run("pg_ctl", "-D", data, "-l", log, "-w", "-o", options, *words, what)

    def _run(self, program: str, *words: str) -> None:
        command = [str(self.programs / program), *words]
        if os.getuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
