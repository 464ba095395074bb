"""Docker's attached stream: stdin goes in, two multiplexed streams come out, each within its bound."""

from __future__ import annotations

import contextlib
import selectors
import socket
import time

_CHUNK = 65536
_HEADER = 8  # of a frame: stream number, three zero bytes, length


def exchange(
    raw: socket.socket, stdin: bytes, deadline: float, max_stdout: int, max_stderr: int
) -> tuple[bytes, bytes, str | None]:
    """(stdout, stderr, why it had to stop): None at the end of both streams, or "time", "stdout" or "lost"."""
    raw.setblocking(False)
    demux = Demux(max_stdout, max_stderr)
    try:
        stopped = _pump(raw, demux, memoryview(stdin), deadline)
    except OSError:  # the engine went away, and its container with it
        stopped = "lost"
    return demux.out, demux.err, stopped


def _pump(raw: socket.socket, demux: Demux, left: memoryview | None, deadline: float) -> str | None:
    with selectors.DefaultSelector() as selector:
        selector.register(raw, selectors.EVENT_READ | selectors.EVENT_WRITE)
        while True:
            events = selector.select(max(0.0, deadline - time.monotonic()))
            if not events:
                return "time"
            for _, mask in events:
                if mask & selectors.EVENT_WRITE:
                    left = _send(raw, left)
                    if left is None:
                        selector.modify(raw, selectors.EVENT_READ)
                if mask & selectors.EVENT_READ:
                    with contextlib.suppress(BlockingIOError):
                        chunk = raw.recv(_CHUNK)
                        if not chunk:
                            return None
                        demux.feed(chunk)
            if demux.full:
                return "stdout"


def _send(raw: socket.socket, left: memoryview | None) -> memoryview | None:
    """What is still to be sent; None once the sending half is closed."""
    try:
        if left:
            left = left[raw.send(left[:_CHUNK]) :]
        if not left:
            raw.shutdown(socket.SHUT_WR)
            return None
    except BlockingIOError:
        return left
    except (BrokenPipeError, ConnectionResetError):  # the container is gone; reading says the rest
        return None
    return left


class Demux:
    """Splits Docker's multiplexed stream; bytes over a bound are dropped, and too much stdout is an end."""

    def __init__(self, max_stdout: int, max_stderr: int) -> None:
        self._bounds = {1: max_stdout, 2: max_stderr}
        self._streams = {1: bytearray(), 2: bytearray()}
        self._header = bytearray()
        self._stream = self._length = 0
        self.full = False

    def take(self) -> bytes:
        """What stdout has brought since the last call; its bound then counts from here."""
        taken = self.out
        self._streams[1].clear()
        return taken

    @property
    def out(self) -> bytes:
        return bytes(self._streams[1])

    @property
    def err(self) -> bytes:
        return bytes(self._streams[2])

    def feed(self, chunk: bytes) -> None:
        view = memoryview(chunk)
        while view:
            if self._length == 0:
                take = min(_HEADER - len(self._header), len(view))
                self._header += view[:take]
                view = view[take:]
                if len(self._header) == _HEADER:
                    self._stream, self._length = self._header[0], int.from_bytes(self._header[4:], "big")
                    self._header.clear()
                continue
            take = min(self._length, len(view))
            self._keep(view[:take])
            self._length -= take
            view = view[take:]

    def _keep(self, data: memoryview) -> None:
        bound = self._bounds.get(self._stream)
        if bound is None:
            return
        kept = self._streams[self._stream]
        kept += data[: max(0, bound + 1 - len(kept))]
        self.full = self.full or (self._stream == 1 and len(kept) > bound)
