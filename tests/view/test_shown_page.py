"""What the page of a real browser draws: colours and their legend, lids, edges, contacts and forces; and what it keeps of it."""

from pathlib import Path

import numpy as np
import pytest

from .browser import NEAREST, needs_browser, pixels

# the stage with the body at rest; delete it and run its test for a new one
REFERENCE = Path(__file__).with_name("beam.png")
ROUND = ("1.000000", "2.000000", "5.000000")  # what steps between ticks begin with


@needs_browser
def test_colours_change_with_the_field_and_the_legend_says_so(tab):
    tab.run("pliant.link.say('gravity', {value: [0, 0, -9.81]})")
    plain = pixels(tab)
    assert tab.run("pliant.of('legend').hidden")
    tab.key("c")
    tab.wait("pliant.state().field === 'displacement' && pliant.latest().colours != null")
    tab.run(
        """(() => { const s = pliant.of('panel').querySelector('select[aria-label=Colour]'); s.value = 'stress';
        s.dispatchEvent(new Event('change')); })()"""
    )
    tab.wait("pliant.state().field === 'stress' && new Set(pliant.latest().colours).size > 5")
    tab.wait("!pliant.of('legend').hidden")
    tab.wait("pliant.of('legend-name').textContent", holds=lambda t: t.startswith("von Mises stress ["))
    ticks = tab.run("[...pliant.of('legend-ticks').children].map((t) => [t.textContent, Number(t.dataset.share)])")
    values = [float(text.replace("−", "-")) for text, _ in ticks]
    step = values[1] - values[0]
    assert len(ticks) >= 3 and np.diff(values) == pytest.approx(step) and f"{step:.6e}"[:8] in ROUND, ticks
    assert all(0 <= share <= 1 for _, share in ticks)
    coloured = pixels(tab)
    hot = lambda seen: ((seen[..., 1] > seen[..., 0] + 20) | (seen[..., 2] > seen[..., 0] + 60)).sum()
    assert hot(coloured) > hot(plain) + 500


# a place on the screen where the value hardly changes, its body's value there as a byte, and the scale
EVEN = """(() => {
  const [body, eye] = [pliant.stage.bodies[0], pliant.stage.camera.position];
  let best = null;
  for (let i = 0; i < body.triangles.length; i += 3) {
    const corners = [...body.triangles.subarray(i, i + 3)];
    const values = corners.map((v) => body.values[v]);
    const place = (v) => eye.clone().fromArray(body.positions, 3 * v);
    const middle = place(corners[0]).add(place(corners[1])).add(place(corners[2])).multiplyScalar(1 / 3);
    const at = pliant.stage.onScreen(middle);
    const hit = pliant.stage.pick(at.x, at.y);
    const spread = Math.max(...values) - Math.min(...values);
    if (hit && hit.point.distanceTo(middle) < 1e-3 && (!best || spread < best.spread)) {
      best = { ...at, spread, byte: values.reduce((a, b) => a + b) / 3, vertex: corners[0] };
    }
  }
  return best;
})()"""


@needs_browser
def test_colours_are_those_of_the_legend_and_the_mouse_reads_their_value(tab, viewer):
    from pliant.output.colours.colour import scale, two_sided

    tab.run("pliant.link.say('gravity', {value: [0, 0, -9.81]})")
    tab.wait("Math.min(...pliant.latest().positions.filter((_, i) => i % 3 === 2)) < 0.295")
    tab.run("pliant.link.say('pause', {value: true})")
    for field, shades in (("stress", scale()), ("pressure", two_sided())):
        tab.run(f"pliant.link.say('colour', {{name: '{field}'}})")
        tab.wait(f"pliant.latest().two === {str(field == 'pressure').lower()} && pliant.latest().colours != null")
        tab.wait(f"pliant.state().field === '{field}' && !pliant.latest().running && !pliant.of('legend').hidden")
        tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        at = tab.run(EVEN)
        seen = pixels(tab)[round(at["y"]), round(at["x"])]
        assert np.abs(seen - 255 * shades[round(at["byte"])]).max() < 28, (field, seen, at)
    tab.mouse("move", at["x"], at["y"], pressed=False, button="none")
    text = tab.wait("!pliant.of('probe').hidden && pliant.of('probe').textContent")
    low, high = tab.run("pliant.latest().range")
    value, unit = text.split("beam at")[0].strip("≥≤ ").replace("−", "-").split()
    factor = {"Pa": 1, "kPa": 1e3}[unit]
    assert low == -high and float(value) * factor == pytest.approx(low + at["byte"] / 255 * (high - low), abs=0.05 * high)
    tab.run("pliant.of('hold').click()")
    tab.wait("pliant.state().range.length === 2 && !pliant.of('ends').hidden")
    tab.run(f"pliant.link.say('range', {{ends: [0, {high / 2}]}})")
    tab.wait(f"Math.abs(pliant.latest().range[1] - {high / 2}) < 1e-3 * {high}")
    tab.run("pliant.link.say('pause', {value: false}); pliant.link.say('gravity', {value: [0, 0, -30]})")
    tab.wait("pliant.latest().running && pliant.latest().range[0] === 0")  # it stays where it is held
    tab.run("pliant.of('hold').click()")
    tab.wait("pliant.state().range.length === 0 && pliant.latest().range[0] < 0")


PLACE = "pliant.stage.onScreen(pliant.stage.camera.position.clone().set(%s, %s, %s))"


def inside(seen: np.ndarray, corners: list[dict[str, float]]) -> np.ndarray:
    """(n, 3) the pixels in a convex polygon."""
    rows, columns = np.mgrid[: seen.shape[0], : seen.shape[1]]
    points = np.array([(c["x"], c["y"]) for c in corners])
    sides = [(b - a)[0] * (rows - a[1]) - (b - a)[1] * (columns - a[0]) for a, b in zip(points, np.roll(points, -1, axis=0))]
    return seen[np.all(np.array(sides) > 0, axis=0) | np.all(np.array(sides) < 0, axis=0)]


@needs_browser
def test_a_plane_clips_bodies_fade_and_change_colour_and_holds_are_marked(tab):
    red = lambda: int((np.subtract(*pixels(tab)[..., [0, 2]].transpose(2, 0, 1)) > 40).sum())
    assert tab.run("pliant.stage.holds.node.count") == 4  # the corners of the clamped end
    whole, at = red(), tab.run(NEAREST)
    assert tab.run(f"pliant.stage.pick({at['x']}, {at['y']}) !== null")
    choose = "((s, v) => { s.value = v; s.dispatchEvent(new Event('change')); })(pliant.panel.clip.select, '%s')"
    tab.run(choose % "0")
    assert red() < 0.75 * whole
    assert tab.run(f"pliant.stage.pick({at['x']}, {at['y']})") is None  # nor can it be pulled there
    corners = [tab.run(PLACE % (0.2, y, z)) for y, z in ((0.02, 0.32), (0.08, 0.32), (0.08, 0.38), (0.02, 0.38))]
    lid = inside(pixels(tab), corners)  # of one colour, and not the walls of a hollow beam
    assert len(lid) > 200 and lid.std(axis=0).max() < 3 and lid[:, 0].mean() > lid[:, 2].mean() + 40
    tab.run("pliant.stage.bodies[0].cap.lid.visible = false")
    hollow = inside(pixels(tab), corners)
    assert np.abs(hollow.mean(axis=0) - lid.mean(axis=0)).max() > 8, (hollow.mean(axis=0), lid.mean(axis=0))
    tab.run("pliant.stage.bodies[0].cap.lid.visible = true")
    tab.run(choose % "-1")
    assert red() == whole
    tab.run("pliant.of('panel').querySelector('.body button').click()")
    assert tab.run("pliant.stage.bodies[0].material.opacity") == 0.25 and red() != whole
    tab.run("pliant.of('panel').querySelector('.body button').click()")
    chip = "pliant.of('panel').querySelector('.body input[type=color]')"
    tab.run(f"{chip}.value = '#2050d0'; {chip}.dispatchEvent(new Event('input'))")
    assert red() < 0.1 * whole
    tab.run("pliant.stage.colour('beam', pliant.stage.bodies[0].about.colour)")
    assert red() == whole


@needs_browser
def test_the_stage_looks_as_it_did(tab):
    """A paused body, drawn by the processor, against a stored picture: colours within a tolerance, and nearly everywhere."""
    from PIL import Image

    tab.run("pliant.link.say('pause', {value: true})")
    tab.wait("!pliant.latest().running")
    small = lambda seen: seen.reshape(160, 4, 240, 4, 3).mean(axis=(1, 3))  # thin lines of the grid blur
    seen = small(pixels(tab))
    if not REFERENCE.exists():
        Image.fromarray(np.uint8(seen + 0.5)).save(REFERENCE, optimize=True)
        pytest.fail(f"{REFERENCE.name} was missing and has been written; look at it, and run this again")
    stored = np.asarray(Image.open(REFERENCE).convert("RGB")).astype(int)
    other = lambda now: float((np.abs(now - stored).max(axis=2) > 16).mean())  # the share of pixels that are not alike
    assert seen.shape == stored.shape and np.abs(seen - stored).mean() < 2 and other(seen) < 0.01
    tab.run("pliant.stage.camera.position.x += 0.1")
    assert other(small(pixels(tab))) > 0.02  # another view is seen to be another


@needs_browser
def test_edges_of_the_elements_move_with_the_body(tab, viewer):
    plain = pixels(tab)
    tab.key("e")
    tab.wait("pliant.latest().nodes && pliant.stage.elements?.node.visible")
    assert tab.run("pliant.stage.bodies[0].material.opacity") < 1  # one looks into it
    lined = pixels(tab)
    assert (np.abs(lined - plain).max(axis=2) > 20).mean() > 0.01
    assert tab.run("pliant.stage.elements.node.geometry.index.count / 2") == len(viewer.loop.snapshots.edges.pairs)
    tab.run("pliant.link.say('gravity', {value: [0, 0, -9.81]})")
    tab.wait("Math.min(...pliant.stage.elements.place.array.filter((_, i) => i % 3 === 2))", holds=lambda z: z < 0.25)
    tab.run("pliant.panel.elements.input.click()")
    tab.wait("!pliant.latest().nodes && !pliant.stage.elements.node.visible && !pliant.state().elements")
    assert tab.run("pliant.stage.bodies[0].material.opacity") == 1


@needs_browser
def test_arrows_at_contacts_are_as_long_as_their_forces_and_a_scale_says_how_much_that_is(tab):
    """Of points under a body and under one three times as heavy, and after a blow that passes."""
    lengths = """(([contacts, times]) => { const own = new pliant.stage.contacts.constructor(2);
        for (const time of times) own.update(new Float32Array(contacts), time);
        const {array} = own.node.instanceMatrix;
        const columns = Array.from({length: own.node.count}, (_, i) => array.subarray(16 * i + 4, 16 * i + 7));
        return [columns.map((c) => Math.hypot(...c)), own.full, own.stands]; })"""
    light, heavy = [0, 0, 0, 0, 0, 1.2], [1, 0, 0, 0, 0, 3.6]
    found, full, stands = tab.run(f"{lengths}([{light + heavy}, [0]])")
    assert stands == 5 and found == pytest.approx([full * 1.2 / 5, full * 3.6 / 5])
    pressed = "pliant.stage.contacts.update(new Float32Array({}), {})"
    show = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    tab.run("pliant.link.say('pause', {value: true})")
    tab.wait("!pliant.latest().running")
    said = []
    for contacts, time in (
        (light + heavy, 100),
        ([0, 0, 0, 0, 0, 400.0], 100.01),
        (light + heavy, 100.1),
        (light + heavy, 103),
    ):
        tab.run(pressed.format(contacts, time) + "; " + show)
        said.append(tab.run("pliant.of('force-scale').hidden ? '' : pliant.of('force-size').textContent"))
    assert said == ["5 N at a contact", "500 N at a contact", "500 N at a contact", "5 N at a contact"]
    drawn = tab.run("pliant.of('force-arrow').getBoundingClientRect().width / pliant.stage.pixels(pliant.stage.contacts.full)")
    assert drawn == pytest.approx(1, abs=0.02)
    tab.run("pliant.link.say('pause', {value: false})")


@needs_browser
def test_contacts_are_arrows_along_the_normals(tab):
    tab.run("pliant.link.say('gravity', {value: [0, 0, -9.81]}); pliant.link.say('set', {body: 0, name: 'young', value: 1e4})")
    tab.run("pliant.panel.contacts.input.click()")
    tab.wait("pliant.latest().contacts.length > 0 && pliant.stage.contacts.node.count > 0")
    crimson = lambda seen: ((seen[..., 0] > 140) & (seen[..., 2] > seen[..., 1] + 25)).sum()  # nothing else has that hue
    tab.wait("pliant.latest().contacts.length / 6 >= 2")
    contacts = np.array(tab.run("Array.from(pliant.latest().contacts)")).reshape(-1, 6)
    assert contacts[:, 2] == pytest.approx(0.0, abs=0.01)  # of the floor
    assert np.all(contacts[:, 5] > 0) and np.allclose(contacts[:, 3:5], 0, atol=1e-6)
    assert crimson(pixels(tab)) > 30
    tab.run("pliant.panel.contacts.input.click()")
    tab.wait("pliant.latest().contacts.length === 0 && pliant.stage.contacts.node.count === 0")
    tab.wait("pliant.of('force-scale').hidden")
    assert crimson(pixels(tab)) == 0


@needs_browser
def test_every_field_has_colours_and_a_legend_with_its_unit(tab, viewer):
    tab.run("pliant.link.say('gravity', {value: [0, 0, -9.81]})")
    for field in tab.run("pliant.panel.scene.fields"):
        tab.key("c")
        tab.wait(f"pliant.state().field === '{field['name']}' && pliant.latest().colours != null")
        begins = field["label"] + (" [" if field["unit"] else "")
        tab.wait(
            "pliant.of('legend-name').textContent",
            holds=lambda t, b=begins, u=field["unit"]: t.startswith(b) and u in t,
        )
    assert {f["name"] for f in tab.run("pliant.panel.scene.fields")} >= {
        "displacement", "stretch", "stress", "pressure", "energy density",
    }  # fmt: skip
    tab.key("c")
    tab.wait("pliant.state().field === 'none' && pliant.latest().colours === null && pliant.of('legend').hidden")


# what three.js and WebGL hold after each of some scenes that follow one another: the same bodies after a cut, or another scene
HELD = """(async () => { const [s, frame] = [pliant.stage, pliant.latest()];
  const [gl, held, out] = [s.renderer.getContext(), {Buffer: 0, Texture: 0, VertexArray: 0}, []];
  for (const kind of Object.keys(held)) {
    const [make, drop] = [gl[`create${kind}`].bind(gl), gl[`delete${kind}`].bind(gl)];
    gl[`create${kind}`] = () => (held[kind]++, make());
    gl[`delete${kind}`] = (thing) => (thing && held[kind]--, drop(thing));
  }
  for (let k = 0; k < 8; k++) {
    s.show(s.about, k % 2 === 0);
    s.clip(0, 0.5, false);
    s.wireframe = true;
    for (let i = 0; i < 2; i++) {
      s.update({...frame, contacts: new Float32Array([0, 0, 0, 0, 0, 1])});
      s.draw();
    }
    out.push({...held, ...s.renderer.info.memory, programs: s.renderer.info.programs.length});
  }
  for (const kind of Object.keys(held)) delete gl[`create${kind}`], delete gl[`delete${kind}`];
  s.clip(-1);
  s.wireframe = false;
  return out; })()"""


@needs_browser
def test_nothing_of_bodies_that_are_gone_stays_on_the_graphics_card(tab):
    tab.run("pliant.link.say('colour', {name: 'stress'}); pliant.link.say('pause', {value: true})")
    tab.wait("pliant.latest().colours && !pliant.latest().running")
    held = tab.run(HELD)
    assert held[0]["textures"] > 0 and held[0]["geometries"] > 5
    assert held[2] == held[4] == held[6] and held[3] == held[5] == held[7]
    tab.run("pliant.link.say('pause', {value: false})")
