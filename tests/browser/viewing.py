"""The browser, and Inspect's own server of logs, for the tests of what a person sees."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@contextmanager
def inspect_view(folder):
    """Serves a folder of logs on this machine, and says where."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "inspect_ai", "view", "start", "--log-dir", str(folder)]
    server = subprocess.Popen([*command, "--host", "127.0.0.1", "--port", str(port)])
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait_for(address):
    for _ in range(240):
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.25)
    raise RuntimeError(f"the viewer did not start at {address}")
