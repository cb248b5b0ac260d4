// The page: controls, time, legend and the energy plot.
const $ = (id) => document.getElementById(id);
async function start() {
  const run = await unpack();
  const canvas = $("view"), scene = new Scene(canvas, run), camera = new Camera(run, canvas);
  const begin = run.times[0], end = run.times[run.times.length - 1], still = !(end > begin);
  const state = { t: begin, playing: !still, field: null, wire: false, dark: false };
  let stale = true;
  const redraw = () => { stale = true; };

  $("facts").textContent = run.facts;
  const time = $("time");
  time.min = begin; time.max = still ? begin + 1 : end; time.disabled = still;

  // Bodies
  run.bodies.forEach((body, k) => {
    const label = document.createElement("label"), box = document.createElement("input"), chip = document.createElement("i"), name = document.createElement("span");
    box.type = "checkbox"; box.checked = true; chip.style.background = body.colour; name.textContent = body.name;
    box.addEventListener("change", () => { scene.bodies[k].shown = box.checked; redraw(); });
    label.append(box, chip, name);
    $("bodies").append(label);
  });

  // Colour and legend
  const choice = $("colour");
  choice.append(new Option("by body", ""));
  run.fields.forEach((field) => choice.append(new Option(field.name, field.name)));
  function recolour(name) {
    state.field = run.fields.find((f) => f.name === name) || null;
    choice.value = state.field ? name : "";
    const legend = $("legend");
    legend.hidden = !state.field;
    if (state.field) {
      const { low, high, unit } = state.field, [factor, named] = prefixed(Math.max(Math.abs(low), Math.abs(high)), unit);
      legend.querySelector("figcaption").textContent = named ? `${name} [${named}]` : name;
      const list = legend.querySelector("ol");
      list.replaceChildren(...roundTicks(low * factor, high * factor, 5).map((tick) => {
        const item = document.createElement("li");
        item.textContent = readable(tick, 4);
        item.style.top = `${100 * (1 - (tick / factor - low) / (high - low))}%`;
        return item;
      }));
      const ramp = legend.querySelector("canvas").getContext("2d"), image = ramp.createImageData(1, 256);
      for (let i = 0; i < 256; i++) image.data.set([...run.scale.subarray(3 * (255 - i), 3 * (255 - i) + 3), 255], 4 * i);
      ramp.putImageData(image, 0, 0);
    }
    redraw();
  }
  choice.addEventListener("change", () => recolour(choice.value));

  // Slice: one small picture a frame, its colours from a table
  const shown = { frame: -1 };
  $("slice").hidden = $("slicing").hidden = !run.slice;
  if (run.slice) {
    const screen = $("slice").querySelector("canvas");
    [screen.width, screen.height] = run.slice.size;
    $("slice").querySelector("figcaption").textContent = run.slice.title;
  }
  $("cut").addEventListener("change", () => { $("slice").hidden = !$("cut").checked; });
  function drawSlice([low, high, part]) {
    const frame = part < 0.5 ? low : high;
    if (!run.slice || frame === shown.frame) return;
    shown.frame = frame;
    const [width, height] = run.slice.size, pen = $("slice").querySelector("canvas").getContext("2d");
    const image = pen.createImageData(width, height), first = frame * width * height;
    for (let i = 0; i < width * height; i++) {
      const at = 3 * run.slice.pixels[first + i];
      image.data.set([run.slice.palette[at], run.slice.palette[at + 1], run.slice.palette[at + 2], 255], 4 * i);
    }
    pen.putImageData(image, 0, 0);
  }

  // Energies
  const names = Object.keys(run.energies), plot = $("plot"), series = names.map((n) => run.energies[n]);
  $("energy").hidden = !names.length || still;
  const lows = Math.min(0, ...series.map((s) => Math.min(...s))), highs = Math.max(1e-30, ...series.map((s) => Math.max(...s)));
  const [factor, unit] = prefixed(Math.max(Math.abs(lows), highs), "J");
  const readouts = names.map((name, k) => {
    const item = document.createElement("span"), line = document.createElement("i"), value = document.createElement("b");
    line.style.background = run.hues[k % run.hues.length];
    item.append(line, name + " ", value);
    $("energies").append(item);
    return value;
  });
  function drawPlot(moment) {
    if ($("energy").hidden) return;
    const pixels = window.devicePixelRatio || 1, width = plot.clientWidth, height = plot.clientHeight, pen = plot.getContext("2d");
    plot.width = width * pixels; plot.height = height * pixels;
    pen.scale(pixels, pixels);
    const style = getComputedStyle(document.documentElement), pale = style.getPropertyValue("--pale");
    const x = (t) => 4 + ((t - begin) / (end - begin)) * (width - 8), y = (e) => height - 6 - ((e - lows) / (highs - lows || 1)) * (height - 18);
    pen.font = "11px system-ui, sans-serif";
    for (const tick of roundTicks(lows * factor, highs * factor, 2)) {
      pen.strokeStyle = style.getPropertyValue("--line"); pen.fillStyle = pale;
      pen.beginPath(); pen.moveTo(4, y(tick / factor)); pen.lineTo(width - 4, y(tick / factor)); pen.stroke();
      pen.fillText(`${readable(tick, 4)} ${unit}`, 6, y(tick / factor) - 3);
    }
    series.forEach((values, k) => {
      pen.strokeStyle = run.hues[k % run.hues.length]; pen.lineWidth = 1.8; pen.lineJoin = "round";
      pen.beginPath();
      values.forEach((e, i) => (i ? pen.lineTo(x(run.times[i]), y(e)) : pen.moveTo(x(run.times[i]), y(e))));
      pen.stroke();
    });
    pen.strokeStyle = style.getPropertyValue("--ink"); pen.lineWidth = 1;
    pen.beginPath(); pen.moveTo(x(state.t), 2); pen.lineTo(x(state.t), height - 2); pen.stroke();
    const [low, high, part] = moment;
    series.forEach((values, k) => { readouts[k].textContent = `${readable((values[low] + (values[high] - values[low]) * part) * factor)} ${unit}`; });
  }
  const scrub = (event) => { const box = plot.getBoundingClientRect(); seek(begin + ((event.clientX - box.left - 4) / (box.width - 8)) * (end - begin)); };
  plot.addEventListener("pointerdown", (event) => { plot.setPointerCapture(event.pointerId); play(false); scrub(event); });
  plot.addEventListener("pointermove", (event) => { if (event.buttons) scrub(event); });

  // Time
  function seek(t) { state.t = Math.min(Math.max(t, begin), end); redraw(); }
  function play(on) {
    state.playing = on && !still;
    if (state.playing && state.t >= end) state.t = begin;
    $("play").classList.toggle("on", state.playing);
    $("play").setAttribute("aria-label", state.playing ? "Pause" : "Play");
  }
  function nudge(by) {
    play(false);
    const [low, high, part] = between(run.times, state.t, true), now = part < 0.5 ? low : high;
    seek(run.times[Math.min(Math.max(now + by, 0), run.times.length - 1)]);
  }
  $("play").addEventListener("click", () => play(!state.playing));
  time.addEventListener("input", () => { play(false); seek(+time.value); });
  $("smooth").addEventListener("change", redraw);
  $("wire").addEventListener("change", () => { state.wire = $("wire").checked; redraw(); });

  // Theme
  function theme(dark) { state.dark = dark; document.documentElement.dataset.theme = dark ? "dark" : "light"; redraw(); }
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  theme(prefers.matches);
  prefers.addEventListener("change", () => theme(prefers.matches));
  $("theme").addEventListener("click", () => theme(!state.dark));
  $("reset").addEventListener("click", () => { camera.reset(); redraw(); });
  $("help").addEventListener("click", () => $("keys").showModal());

  // Hand and wheel
  const fingers = new Map();
  const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y) || 1; };
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); fingers.set(event.pointerId, { x: event.clientX, y: event.clientY }); });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    const was = fingers.get(event.pointerId);
    if (!was) return;
    const dx = event.clientX - was.x, dy = event.clientY - was.y, before = fingers.size > 1 ? spread() : 0;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size > 1) { camera.move(dx / 2, dy / 2); camera.zoom(before / spread()); }
    else if (event.buttons & 6 || event.shiftKey) camera.move(dx, dy);
    else camera.turn(dx, dy);
    redraw();
  });
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); camera.zoom(Math.exp(0.0012 * Math.max(-300, Math.min(300, event.deltaY)))); redraw(); }, { passive: false });
  canvas.addEventListener("dblclick", () => { camera.reset(); redraw(); });
  addEventListener("resize", redraw);

  // Keys
  const step = (element, by) => { element.selectedIndex = (element.selectedIndex + by + element.length) % element.length; element.dispatchEvent(new Event("change")); };
  const toggle = (id) => { $(id).checked = !$(id).checked; $(id).dispatchEvent(new Event("change")); };
  const keys = {
    " ": () => play(!state.playing), ArrowLeft: () => nudge(-1), ArrowRight: () => nudge(1),
    Home: () => seek(begin), End: () => seek(end), "?": () => $("keys").showModal(),
    c: () => step(choice, 1), w: () => toggle("wire"), l: () => toggle("loop"), t: () => theme(!state.dark),
    r: () => { camera.reset(); redraw(); },
    "-": () => { $("speed").selectedIndex = Math.max($("speed").selectedIndex - 1, 0); },
    "+": () => { $("speed").selectedIndex = Math.min($("speed").selectedIndex + 1, $("speed").length - 1); },
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
    if (event.target instanceof HTMLSelectElement || (event.target instanceof HTMLButtonElement && event.key === " ")) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key] || (event.key === "=" ? keys["+"] : null);
    if (act) { event.preventDefault(); act(); }
  });

  // A link may choose the moment: page.html#t=0.5&colour=stress&wire=1&theme=dark&pause=1
  const wish = new URLSearchParams(location.hash.slice(1));
  recolour(wish.get("colour") ?? "");
  if (wish.has("wire")) toggle("wire");
  if (wish.has("theme")) theme(wish.get("theme") === "dark");
  if (wish.has("t")) seek(+wish.get("t") || begin);
  play(!wish.has("pause"));
  if (wish.has("t")) seek(+wish.get("t") || begin);

  let last = performance.now();
  function tick(now) {
    const passed = Math.min((now - last) / 1000, 0.1);
    last = now;
    if (state.playing) {
      state.t += passed * +$("speed").value;
      if (state.t >= end) { if ($("loop").checked) state.t = begin + ((state.t - begin) % (end - begin)); else { state.t = end; play(false); } }
      stale = true;
    }
    if (stale) {
      stale = false;
      const moment = between(run.times, state.t, $("smooth").checked);
      scene.move(moment, state.field);
      scene.draw(camera, { by_value: !!state.field, wire: state.wire, dark: state.dark });
      time.value = state.t;
      $("clock").textContent = `${state.t.toFixed(2)} / ${end.toFixed(2)} s`;
      drawPlot(moment);
      drawSlice(moment);
      document.documentElement.dataset.state = "ready";
    }
    requestAnimationFrame(tick);
  }
  $("message").textContent = "";
  requestAnimationFrame(tick);
}
start().catch((error) => {
  document.documentElement.dataset.state = "failed";
  $("message").textContent = typeof DecompressionStream === "undefined" ? "This browser is too old to unpack the page; any of 2023 or later will do." : String(error.message || error);
});
