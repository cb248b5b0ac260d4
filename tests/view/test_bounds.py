"""What strangers can make the viewer do: memory, queues and the log stay within bounds."""

import json
import logging
import socket
import threading
import time

import pytest

import pliant as pl
from pliant.view import server
from pliant.view.protocol.access import Door
from pliant.view.protocol.messages import parse

from .clients import Page, simulation

FILE = bytes(30_000_000)


@pytest.fixture(scope="module")
def viewer():
    with pl.view(simulation(), port=0, open=False, block=False) as opened:
        yield opened


def asked(viewer, target: str, *headers: str) -> socket.socket:
    """A raw request, of whose answer nothing is read yet."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(10)
    connection.connect(("127.0.0.1", viewer.server.port))
    lines = [f"GET {target} HTTP/1.1", f"Host: 127.0.0.1:{viewer.server.port}", *headers, "", ""]
    connection.sendall("\r\n".join(lines).encode("latin-1"))
    return connection


def until(condition, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_downloads_that_stand_still_are_few_and_end(viewer, monkeypatch, caplog):
    monkeypatch.setattr(server, "STILL", 1.5)
    monkeypatch.setattr(viewer.server.saves, "read", lambda path: ("a.glb", "model/gltf-binary", FILE))
    token = f"?token={viewer.server.token}"
    stalled = [asked(viewer, f"/recording/1/a.glb{token}") for _ in range(12)]
    answers = [connection.recv(12) for connection in stalled]
    assert sum(answer == b"HTTP/1.1 200" for answer in answers) == server.DOWNLOADS
    assert sum(answer == b"HTTP/1.1 503" for answer in answers) == 12 - server.DOWNLOADS
    assert len(viewer.server._downloads) == server.DOWNLOADS
    until(lambda: not viewer.server._downloads)
    assert "took nothing for 1.5 s" in caplog.text and "files go out already" in caplog.text
    whole = asked(viewer, f"/recording/1/a.glb{token}")
    size = 0
    while part := whole.recv(1 << 20):
        size += len(part)
    assert size > len(FILE)
    for connection in (*stalled, whole):
        connection.close()


def test_saves_that_wait_are_few(viewer, monkeypatch):
    going, made = threading.Event(), []
    monkeypatch.setattr(viewer.server.saves, "make", lambda *_: (going.wait(20), made.append(1), {"path": "/recording/1/a"})[2])
    pages = [Page(viewer) for _ in range(server.SAVES + 3)]
    for page in pages:
        page.do("save", kind="npz")
    for page in pages[server.SAVES :]:
        page.listen(lambda p: any("files are being written for other pages" in why for why in p.refused))
    assert len(viewer.server._saving) == server.SAVES
    for page in pages:
        page.__exit__(None, None, None)
    going.set()
    until(lambda: not viewer.server._saving)
    assert len(made) <= server.SAVES


@pytest.mark.parametrize(
    "target, headers, status",
    [
        ("//[", (), b"400"),
        ("/\x1b]0;owned\x07?token=wrong", (), b"401"),
        ("/live", ("Origin: http://[",), b"403"),
        ("/live", ("Origin: http://evil\xff.com",), b"403"),
    ],
)
def test_requests_are_answered_and_logged_without_control_characters(viewer, caplog, target, headers, status):
    with caplog.at_level(logging.WARNING, "pliant.view"), asked(viewer, target, *headers) as connection:
        answer = connection.recv(12)
        until(lambda: caplog.records)
    assert answer[9:12] == status
    assert all(record.getMessage().isprintable() and "owned" not in record.getMessage() for record in caplog.records)


def test_the_address_that_cannot_be_read_is_logged(viewer, caplog):
    with caplog.at_level(logging.WARNING, "pliant.view"), asked(viewer, "//[") as connection:
        assert connection.recv(12) == b"HTTP/1.1 400"
        until(lambda: "the address cannot be read" in caplog.text)


def test_the_token_comes_before_anything_of_the_stranger_is_said():
    door = Door("0.0.0.0", "right")
    evil = {"Host": "evil\x1b[2J", "Origin": "http://evil"}
    for path in ("/", "/?token=wrong", "/?token=right&token=right", "/?token=\udcff"):
        status, why = door.refusal(path, evil)
        assert status == 401 and "evil" not in why
    status, why = door.refusal("/?token=right", evil)
    assert status == 403 and why.isprintable()


@pytest.mark.parametrize("number", ["1" + "0" * 309, "-1" + "0" * 1500, "1e400", "NaN", "true", '"\\u001b[2J"', "null"])
def test_numbers_beyond_all_bounds_are_refused_and_logged(viewer, caplog, number):
    text = '{"do": "speed", "value": ' + number + "}"
    with pytest.raises(pl.errors.InputError, match=r"speed with value = .*; expected a factor") as caught:
        parse(text)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 120
    with caplog.at_level(logging.WARNING, "pliant.view"), Page(viewer) as page:
        page.socket.send(text)
        page.listen(lambda p: p.refused)
        assert "speed with value" in page.refused[0]
        page.socket.send(json.dumps({"do": "speed", "value": 1.0}))
        page.listen(lambda p: p.frames >= 2)  # the page is still served
    assert "refused a message from" in caplog.text and "\x1b" not in caplog.text
