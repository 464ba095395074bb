"""Docker's multiplexed stream: split the same however it arrives, bounded, and honest about its end."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steps.isolation.docker_stream import Demux, exchange

FRAMES = st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=40)), max_size=8)


def wire(frames: list[tuple[int, bytes]]) -> bytes:
    """What Docker sends for these writes."""
    return b"".join(bytes([stream, 0, 0, 0]) + len(data).to_bytes(4, "big") + data for stream, data in frames)


@given(FRAMES, st.lists(st.integers(1, 30), max_size=20))
def test_streams_are_split_the_same_however_the_bytes_arrive(frames: list[tuple[int, bytes]], cuts: list[int]) -> None:
    demux, data = Demux(1000, 1000), wire(frames)
    for cut in cuts:
        demux.feed(data[:cut])
        data = data[cut:]
    demux.feed(data)
    assert demux.out == b"".join(part for stream, part in frames if stream == 1)
    assert demux.err == b"".join(part for stream, part in frames if stream == 2)
    assert not demux.full


def test_too_much_stdout_is_an_end_and_too_much_stderr_is_dropped() -> None:
    demux = Demux(10, 10)
    demux.feed(wire([(2, b"e" * 100), (1, b"o" * 10)]))
    assert (len(demux.err), demux.out, demux.full) == (11, b"o" * 10, False)
    demux.feed(wire([(1, b"o" * 1000)]))
    assert (len(demux.out), demux.full) == (11, True)


def test_a_stream_that_docker_does_not_have_is_dropped() -> None:
    demux = Demux(10, 10)
    demux.feed(wire([(7, b"x"), (1, b"o")]))
    assert (demux.out, demux.err) == (b"o", b"")


def test_what_was_taken_counts_no_longer() -> None:
    demux = Demux(10, 10)
    for _ in range(3):
        demux.feed(wire([(1, b"o" * 8)]))
        assert demux.take() == b"o" * 8
    assert not demux.full


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Our end, and the engine's."""
    ours, engines = socket.socketpair()
    with ours, engines:
        yield ours, engines


def test_a_large_input_is_sent_while_output_arrives(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, engines = pair
    sent, got = b"i" * 3_000_000, bytearray()

    def engine() -> None:
        engines.sendall(wire([(1, b"o" * 1_000_000)]))
        while chunk := engines.recv(65536):
            got.extend(chunk)
        engines.shutdown(socket.SHUT_WR)

    thread = threading.Thread(target=engine)
    thread.start()
    out, err, stopped = exchange(ours, sent, time.monotonic() + 20, 2_000_000, 10)
    thread.join()
    assert (len(out), err, stopped, bytes(got) == sent) == (1_000_000, b"", None, True)


def test_e4_silence_ends_at_the_deadline(pair: tuple[socket.socket, socket.socket]) -> None:
    pair[1].sendall(wire([(1, b"early")]))
    assert exchange(pair[0], b"", time.monotonic() + 0.3, 100, 100) == (b"early", b"", "time")


def test_an_engine_that_goes_away_is_no_ordinary_end() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        with socket.create_connection(listener.getsockname()) as ours:
            theirs, _ = listener.accept()
            # Closing with no lingering resets the connection, as a killed engine does.
            theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            theirs.sendall(wire([(2, b"go")]))
            time.sleep(0.2)
            timer = threading.Timer(0.3, theirs.close)
            timer.start()
            assert exchange(ours, b"", time.monotonic() + 10, 100, 100) == (b"", b"go", "lost")
            timer.join()
