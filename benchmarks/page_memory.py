"""What a page of the viewer keeps: its heap after garbage collection, and what it holds of the graphics card.

Chromium without a screen, as the tests have it. Geometries, textures and programs are those that three.js counts; buffers,
textures and arrays of vertices of WebGL are counted where they are made and deleted, so that none escapes it.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

# before any script of the page: count what WebGL makes and deletes
COUNTED = """
globalThis.kept = {};
for (const [kind, plural] of [["Buffer", "buffers"], ["Texture", "gl textures"], ["VertexArray", "vertex arrays"]]) {
  kept[plural] = 0;
  const own = WebGL2RenderingContext.prototype;
  const [make, drop] = [own[`create${kind}`], own[`delete${kind}`]];
  const gone = new WeakSet();
  own[`create${kind}`] = function () { kept[plural] += 1; return make.call(this); };
  own[`delete${kind}`] = function (thing) {
    if (thing && !gone.has(thing)) { gone.add(thing); kept[plural] -= 1; }
    return drop.call(this, thing);
  };
}
"""
LOOKS = """(() => {{ const [axis, edges, shown, bodies] = {};
  pliant.stage.clip(axis, 0.5, false);
  pliant.stage.wireframe = edges;
  pliant.link.say('contacts', {{value: shown}});
  for (const body of pliant.stage.bodies) pliant.stage.fade(body.about.name, bodies); }})()"""
HELD = """(() => { const {memory, programs} = pliant.stage.renderer.info;
  return {...kept, geometries: memory.geometries, textures: memory.textures, programs: programs.length}; })()"""


class PageMemory:
    """One page of a viewer in a browser of its own; use it in a with statement."""

    def __init__(self, url: str):
        from view.browser import PROGRAM, Browser

        if PROGRAM is None:
            sys.exit("no Chromium was found on the path or in PLIANT_CHROMIUM; --no-page plays without one")
        self.browser = Browser(PROGRAM, (960, 640))
        self.tab = self.browser.open("about:blank")
        self.tab.call("Page.addScriptToEvaluateOnNewDocument", source=COUNTED)
        self.tab.call("Page.navigate", url=url)
        self.tab.wait("globalThis.pliant?.latest() != null && pliant.state() != null")
        self.tab.call("Performance.enable")

    def __enter__(self) -> PageMemory:
        return self

    def __exit__(self, *_) -> None:
        self.browser.close()

    @property
    def complaints(self) -> list[str]:
        """What the page wrote into its console as errors and warnings, and exceptions that nobody caught."""
        return self.tab.complaints

    def look(self, axis: int, edges: bool, contacts: bool, faded: bool) -> None:
        """Clip across an axis or (−1) not, draw edges, contacts, and bodies that are seen through."""
        flags = [str(flag).lower() for flag in (edges, contacts, faded)]
        self.tab.run(LOOKS.format(f"[{axis}, {', '.join(flags)}]"))

    def read(self) -> dict[str, float]:
        """Heap in use [MiB] after garbage collection, nodes and listeners of the document, and what is held for drawing."""
        self.tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.tab.call("HeapProfiler.collectGarbage")
        metrics = {m["name"]: m["value"] for m in self.tab.call("Performance.getMetrics")["metrics"]}
        found = {"heap [MiB]": round(metrics["JSHeapUsedSize"] / 2**20, 2), "document nodes": int(metrics["Nodes"])}
        return found | {"listeners": int(metrics["JSEventListeners"])} | self.tab.run(HELD)
