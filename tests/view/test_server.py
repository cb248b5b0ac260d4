"""The viewer as a raw client sees it: what comes in, what is refused, and that no client slows the simulation."""

import http.client
import json
import logging
import socket
import threading
import time

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import pliant as pl
from pliant.view.protocol.access import Door
from pliant.view.protocol.client import IN_FLIGHT, REFUSALS

from .clients import Page, simulation


@pytest.fixture(scope="module")
def viewer():
    with pl.view(simulation(), port=0, open=False, block=False) as opened:
        yield opened


@pytest.fixture(autouse=True)
def anew(request):
    """Each test meets the body at rest, with the clock running."""
    if "viewer" in request.fixturenames:
        viewer = request.getfixturevalue("viewer")
        with Page(viewer) as page:
            page.do("reset")
            page.do("set", body=0, name="young", value=4e4)
            page.do("gravity", value=[0, 0, -9.81])
            page.do("colour", name="none")
            page.listen(lambda p: p.state.get("field") == "none" and p.state["bodies"][0]["young"] == 4e4)


def fetched(viewer, path: str, **headers) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", viewer.server.port, timeout=10)
    connection.putrequest("GET", path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    return connection.getresponse()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
def test_a_page_is_got_and_nothing_else(viewer, method):
    connection = http.client.HTTPConnection("127.0.0.1", viewer.server.port, timeout=10)
    connection.request(method, f"/?token={viewer.server.token}")
    answer = connection.getresponse()
    assert answer.status in (400, 405) and b"<main>" not in answer.read()
    assert fetched(viewer, f"/?token={viewer.server.token}").status == 200


# --- what comes in


def test_scene_and_frames_arrive(viewer):
    with Page(viewer) as page:
        page.listen(lambda p: p.frames >= 3 and p.state and p.statistics)
        (body,) = page.scene["bodies"]
        assert body["name"] == "beam" and body["count"] == len(page.frame["x"]) == 36
        assert {s["name"] for s in body["sliders"]} == {"young", "poisson", "density"}
        assert page.arrays["triangles:0"].max() == 35
        assert page.scene["props"] == [{"name": "obstacle 0", "ground": True, "moves": False}]
        assert {"kinetic", "elastic", "total"} <= page.statistics["energies"].keys()


def test_positions_are_those_of_the_simulation(viewer):
    with Page(viewer) as page:
        page.do("pause", value=True)
        page.listen(lambda p: p.frame and not p.frame["running"] and not p.state["running"])
        page.do("step")
        before = page.frame["time"]
        page.listen(lambda p: p.frame["time"] > before)
        exact = viewer.sim.bodies[0].surface
        assert page.frame["time"] == pytest.approx(viewer.sim.t)
        assert np.abs(page.frame["x"] - exact).max() <= page.frame["span"].max() / 65535


def test_a_hand_moves_the_body_and_lets_go(viewer):
    with Page(viewer) as page:
        page.do("gravity", value=[0, 0, 0])
        page.listen(lambda p: p.frame)
        corner = int(np.argmax(page.frame["x"] @ [1, 0, 1]))
        start = page.frame["x"][corner].copy()
        page.do("grab", hand=0, body=0, vertices=[corner], weights=[1.0], at=(start + np.array([0, 0, 0.15])).tolist())
        page.listen(lambda p: p.frame["held"] and p.frame["x"][corner, 2] > start[2] + 0.05)
        neighbours = np.argsort(np.linalg.norm(page.frame["x"] - page.frame["x"][corner], axis=1))[1:4]
        assert page.frame["x"][neighbours, 2].mean() > start[2] - 0.1 + 0.03
        page.do("move", hand=0, at=(start - [0, 0, 0.1]).tolist())
        page.listen(lambda p: p.frame["x"][corner, 2] < start[2] - 0.03)
        page.do("release", hand=0, pin=False)
        page.listen(lambda p: not p.frame["held"])


def test_a_point_between_vertices_is_held_and_pinned(viewer):
    with Page(viewer) as page:
        page.listen(lambda p: p.frame)
        triangle = page.arrays["triangles:0"].reshape(-1, 3)[-1]
        weights = [0.2, 0.3, 0.5]
        goal = np.array([0.3, 0.1, 0.5])
        page.do("grab", hand=1, body=0, vertices=triangle.tolist(), weights=weights, at=goal.tolist())
        page.listen(lambda p: p.frame["held"])
        hand = page.frame["held"][0]
        assert np.allclose(hand["anchor"], weights @ page.frame["x"][triangle], atol=0.01)
        assert np.allclose(hand["target"], goal, atol=1e-6) and hand["force"] > 0
        page.do("release", hand=1, pin=True)
        page.listen(lambda p: p.frame["held"] and p.frame["held"][0]["pinned"])
        page.do("unpin", pin=page.frame["held"][0]["handle"])
        page.listen(lambda p: not p.frame["held"])


def test_hands_of_a_page_that_leaves_open(viewer):
    with Page(viewer) as stays:
        with Page(viewer) as leaves:
            leaves.do("grab", hand=0, body=0, vertices=[0], weights=[1.0], at=[0, 0, 1])
            stays.listen(lambda p: p.frame and p.frame["held"])
        stays.listen(lambda p: not p.frame["held"])


def test_sliders_change_the_material(viewer):
    with Page(viewer) as page:
        page.do("set", body=0, name="young", value=1e4)
        page.listen(lambda p: p.state and p.state["bodies"][0]["young"] == 1e4)
        assert float(viewer.sim.scene.bodies[0].material.young) == 1e4
        page.do("friction", value=0.7)
        page.do("gravity", value=[0, 0, 5.0])
        page.listen(lambda p: p.state["friction"] == 0.7 and p.state["gravity"][2] == 5.0)
        tip = int(np.argmax(page.arrays["source:0"] >= 0)) if not page.frame else int(np.argmax(page.frame["x"][:, 0]))
        page.listen(lambda p: p.frame and p.frame["x"][tip, 2] > 0.41)  # it falls upwards


@pytest.mark.parametrize("field", ["displacement", "speed", "stress", "energy density", "stretch", "volume ratio"])
def test_colours_follow_a_field(viewer, field):
    with Page(viewer) as page:
        page.do("colour", name=field)
        page.listen(lambda p: p.frame and p.frame["colours"] is not None and np.ptp(p.frame["colours"].astype(int)) > 20)
        assert page.frame["high"] > page.frame["low"]


def test_pause_step_speed_and_reset(viewer):
    with Page(viewer) as page:
        page.do("pause", value=True)
        page.listen(lambda p: p.state and not p.state["running"] and p.frame)
        page.listen(lambda p: not p.frame["running"])
        before = page.frame["time"]
        page.do("step")
        page.listen(lambda p: p.frame["time"] > before)
        assert page.frame["time"] == pytest.approx(before + 1 / 60)
        page.do("speed", value=0.25)
        page.do("reset")
        page.listen(lambda p: p.state["running"] and p.state["speed"] == 0.25)
        page.do("speed", value=1.0)


def test_contacts_are_shown(viewer):
    with Page(viewer) as page:
        page.do("gravity", value=[0, 0, -60.0])
        page.do("contacts", value=True)
        page.listen(lambda p: p.frame and len(p.frame["contacts"]))
        force = page.frame["contacts"][:, 3:]
        assert np.all(force[:, 2] > 0) and np.allclose(force[:, :2], 0, atol=1e-6 * force.max())
        page.do("contacts", value=False)


def test_two_pages_see_the_same(viewer):
    with Page(viewer) as one, Page(viewer) as other:
        one.do("colour", name="speed")
        other.listen(lambda p: p.state.get("field") == "speed" and p.frame)
        one.listen(lambda p: p.frame)
        assert len(one.frame["x"]) == len(other.frame["x"])


# --- nobody slows the simulation


def unread(viewer) -> socket.socket:
    """A page that asks for the stream and then neither reads nor says anything."""
    stuck = socket.create_connection(("127.0.0.1", viewer.server.port))
    stuck.sendall(
        f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{viewer.server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return stuck


def rate(viewer, seconds: float = 0.6) -> float:
    begin, t = time.perf_counter(), viewer.sim.t
    time.sleep(seconds)
    return (viewer.sim.t - t) / (time.perf_counter() - begin)


def test_a_page_that_never_acknowledges_gets_two_frames(viewer):
    with Page(viewer, acknowledge=False) as silent, Page(viewer) as lively:
        lively.listen(lambda p: p.frames >= 30)
        with pytest.raises(AssertionError):
            silent.listen(lambda p: p.frames > IN_FLIGHT, seconds=1.0)
        assert silent.frames == IN_FLIGHT
        silent.do("ack", frame=silent.frame["number"])
        silent.listen(lambda p: p.frames == IN_FLIGHT + 1)


@pytest.mark.alone
def test_a_page_that_reads_nothing_slows_nobody(viewer):
    with Page(viewer) as lively:
        lively.listen(lambda p: p.frames >= 5)
        free = rate(viewer)
        stuck = unread(viewer)
        assert rate(viewer) > 0.3 * free
        before = lively.frames
        lively.listen(lambda p: p.frames >= before + 20)
        stuck.close()


@pytest.mark.alone
def test_a_page_killed_in_mid_stream_is_forgotten(viewer):
    with Page(viewer) as lively:
        lively.listen(lambda p: p.frames)
        killed = Page(viewer)
        killed.listen(lambda p: p.frames >= 2)
        assert len(viewer.server.clients) == 2
        killed.socket.socket.shutdown(socket.SHUT_RDWR)
        killed.socket.socket.close()
        before = lively.frames
        lively.listen(lambda p: p.frames > before + 5 and len(viewer.server.clients) == 1)


# --- who may come in


def test_page_is_served_with_a_strict_policy(viewer):
    answer = fetched(viewer, "/")
    policy = answer.headers["Content-Security-Policy"]
    assert answer.status == 200 and b"start.js" in answer.read()
    assert "default-src 'none'" in policy and "unsafe" not in policy and "script-src 'self'" in policy
    assert answer.headers["Referrer-Policy"] == "no-referrer" and answer.headers["X-Content-Type-Options"] == "nosniff"
    for file in ("/app.js", "/start.js"):
        assert fetched(viewer, file).status == 200
    assert fetched(viewer, "/../server.py").status == 404 and fetched(viewer, "/static/app.js").status == 404


def test_wrong_token_foreign_origin_and_strange_host_are_refused(viewer, caplog):
    port = viewer.server.port
    with caplog.at_level(logging.WARNING, "pliant.view"):
        with pytest.raises(InvalidStatus, match="401"):
            Page(viewer, query="?token=guessed")
        with pytest.raises(InvalidStatus, match="403"):
            Page(viewer, origin="http://evil.example")
        with pytest.raises(InvalidStatus, match="403"):
            Page(viewer, origin=f"http://127.0.0.1:{port + 1}")
        assert fetched(viewer, "/", Host="evil.example").status == 403
        assert fetched(viewer, "/?token=guessed").status == 401
    words = [record.getMessage() for record in caplog.records]
    assert len(words) == 5 and all("\n" not in line and "refused" in line for line in words)
    assert sum("token is wrong" in line for line in words) == 2 and sum("Origin" in line for line in words) == 2
    with Page(viewer, query="", origin=f"http://127.0.0.1:{port}") as page:  # on this machine no token is needed
        page.listen(lambda p: p.frame)


def test_bound_elsewhere_the_token_is_needed():
    door = Door("0.0.0.0", "secret")
    assert door.refusal("/live", {"Host": "192.168.1.5:8600"}) == (401, "the token is missing")
    assert door.refusal("/live?token=secret", {"Host": "192.168.1.5:8600"}) is None
    assert door.refusal("/live?token=secret&token=secret", {"Host": "192.168.1.5"})[0] == 401
    assert door.refusal("/live?token=secret", {"Host": "pliant.evil.example"})[0] == 403
    assert door.refusal("/live?token=secret", {"Host": "10.0.0.1", "Origin": "http://10.0.0.2"})[0] == 403
    assert door.refusal("/live?token=secret", {"Host": "10.0.0.1:1", "Origin": "http://10.0.0.1:1"}) is None
    assert door.refusal("/live?token=secret", {})[0] == 403
    assert Door("127.0.0.1", "secret").refusal("/", {"Host": "192.168.1.5"})[0] == 403


@pytest.mark.parametrize(
    "text, words",
    [
        ("{", "not JSON"),
        ("[" * 1000, "not JSON"),
        ("[]", "without 'do'"),
        ('{"do": "rest"}', "did you mean 'reset'"),
        ('{"do": "reset", "and": 1}', "expected nothing"),
        ('{"do": "speed", "value": 1e9}', "0.01 … 10"),
        ('{"do": "speed", "value": NaN}', "0.01 … 10"),
        ('{"do": "speed", "value": true}', "0.01 … 10"),
        ('{"do": "move", "hand": 0, "at": [0, 0]}', "three numbers"),
        ('{"do": "move", "hand": 0, "at": [0, 0, 1e300]}', "three numbers"),
        (
            '{"do": "grab", "hand": 0, "body": 0, "vertices": [1, 2], "weights": [1], "at": [0, 0, 0]}',
            "one for each vertex",
        ),
        ('{"do": "set", "body": 0, "name": "", "value": 1}', "name of a parameter"),
        (b"\0\1", "binary"),
    ],
)
def test_messages_that_do_not_fit_are_refused(viewer, caplog, text, words):
    with caplog.at_level(logging.WARNING, "pliant.view"), Page(viewer) as page:
        page.socket.send(text)
        page.listen(lambda p: p.refused)
        assert words in page.refused[0]
    (line,) = [r.getMessage() for r in caplog.records if "refused a message" in r.getMessage()]
    assert words in line and "\n" not in line


@pytest.mark.parametrize(
    "message, words",
    [
        ({"do": "set", "body": 0, "name": "poisson", "value": 0.7}, "poisson"),
        ({"do": "set", "body": 7, "name": "young", "value": 1.0}, "body=7"),
        ({"do": "set", "body": 0, "name": "yong", "value": 1.0}, "did you mean 'young'"),
        ({"do": "grab", "hand": 0, "body": 0, "vertices": [999], "weights": [1], "at": [0, 0, 0]}, "0 … 35"),
        ({"do": "grab", "hand": 0, "body": 0, "vertices": [1, 2], "weights": [1, 1], "at": [0, 0, 0]}, "sum to 1"),
        ({"do": "colour", "name": "strss"}, "did you mean 'stress'"),
        ({"do": "solver", "name": "magic"}, "no solver 'magic'"),
        ({"do": "example", "name": "magic"}, "no example 'magic'"),
    ],
)
def test_what_the_simulation_refuses_is_said(viewer, message, words):
    with Page(viewer) as page:
        page.listen(lambda p: p.state)
        seen = page.state["note"][0]
        page.socket.send(json.dumps(message))
        page.listen(lambda p: p.state["note"][0] > seen)
        assert words in page.state["note"][1] and page.state["running"]


def test_messages_too_long_or_too_many_end_the_connection(viewer, caplog):
    with caplog.at_level(logging.WARNING, "pliant.view"):
        with Page(viewer) as page, pytest.raises(ConnectionClosed) as closed:
            page.socket.send("x" * 5000)
            page.listen(lambda p: False, seconds=5)
        assert closed.value.rcvd.code == 1009
        with Page(viewer) as page, pytest.raises(ConnectionClosed) as closed:
            for _ in range(REFUSALS):
                page.socket.send("{")
            page.listen(lambda p: False, seconds=5)
        assert closed.value.rcvd.code == 1008
        with Page(viewer) as page, pytest.raises(ConnectionClosed) as closed:
            for _ in range(2000):
                page.do("step")
            page.listen(lambda p: False, seconds=5)
        assert closed.value.rcvd.code == 1008
    words = " | ".join(r.getMessage() for r in caplog.records)
    assert "over 2048 bytes" in words and "messages a second" in words
    with Page(viewer) as page:
        page.listen(lambda p: p.frame)


# --- beginning and end


@pytest.mark.alone
def test_no_thread_is_left():
    before = set(threading.enumerate())
    viewer = pl.view(simulation(), port=0, open=False, block=False)
    with Page(viewer) as page:
        page.listen(lambda p: p.frame)
    names = {t.name for t in set(threading.enumerate()) - before}
    assert {"pliant simulation", "pliant server"} <= names
    stuck = unread(viewer)  # nor does a page that says nothing hold up the end
    begin = time.monotonic()
    viewer.close()
    assert time.monotonic() - begin < 8.0
    viewer.close()
    stuck.close()
    assert not {t.name for t in set(threading.enumerate()) - before} & {"pliant simulation", "pliant server"}


def test_two_viewers_find_two_ports_and_a_taken_one_is_refused():
    sim = simulation()
    with pl.view(sim, port=0, open=False, block=False) as one:
        with pytest.raises(pl.errors.InputError, match=r"cannot listen on 127.0.0.1:\d+"):
            pl.view(sim, port=one.server.port, open=False, block=False)
        assert str(one.server.port) in one.url and one.server.token in one.url


@pytest.mark.parametrize(
    "options, words",
    [({"port": -1}, "0 … 65535"), ({"port": "x"}, "0 … 65535"), ({"host": ""}, "a name or an address")],
)
def test_bad_options_are_refused(options, words):
    with pytest.raises(pl.errors.InputError, match=words):
        pl.view(simulation(), open=False, block=False, **options)


def test_only_a_simulation_can_be_viewed():
    with pytest.raises(pl.errors.InputError, match="expected a Simulation"):
        pl.view(simulation().scene, open=False, block=False)
