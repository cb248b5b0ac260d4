// The component: listens to a simulation, draws it, and lets people pull at it.

import { Axes } from "./axes.js";
import { Hand } from "./hand.js";
import { Knife } from "./knife.js";
import layout from "./layout.html";
import { ForceScale, Legend, Probe } from "./legend.js";
import { Link } from "./link.js";
import { plain } from "./numbers.js";
import { Opening } from "./opening.js";
import { Panel, make, title } from "./panel.js";
import { Plots } from "./plots.js";
import { Record } from "./record.js";
import { Slice } from "./slice.js";
import { Stage } from "./stage.js";
import style from "./style.css";
import { Theme } from "./theme.js";
import { Timeline } from "./timeline.js";

// Build the component inside an element. It has a tree of its own (a shadow root), so neither names nor styles meet those around it.
// With page it fills the window, names the document and takes keys wherever they are pressed; without, while it has the focus.
export function mount(root, transport, { page = false } = {}) {
  const tree = root.shadowRoot ?? root.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  tree.adoptedStyleSheets = [sheet];
  tree.replaceChildren(...new DOMParser().parseFromString(layout, "text/html").body.childNodes);
  root.classList.toggle("page", page);
  root.dataset.lmSuppressShortcuts = "true"; // a notebook leaves keys pressed in here alone
  const of = (id) => tree.getElementById(id);
  const ended = new AbortController(); // of all that listens outside the tree
  let stage;
  try {
    stage = new Stage(of("stage"));
  } catch {
    tree.replaceChildren(make("p", { id: "without", textContent: "This browser has no WebGL2, which the page needs to draw." }));
    if (page) document.documentElement.dataset.state = "failed";
    return { destroy: () => tree.replaceChildren(), of };
  }
  const plots = new Plots(of, (time) => timeline.to(time));
  const slice = new Slice(of);
  of("plots").hidden = !page || root.clientWidth < 900; // where there is little room they wait for their key
  let [scene, state, frame, shown, away, note, said, told, next, invited, asked] = [null, null, null, null, "Waiting for the simulation …", 0, 0, 0, 0, false, false];

  const link = new Link(transport, {
    scene(found) {
      const series = found.replay?.series; // chapters of one run share it, and whatever was chosen stays
      const first = !scene;
      const again = found.again && found.name === scene?.name; // the same simulation after a cut
      const turned = again || (Boolean(series) && series === scene?.replay?.series);
      [scene, frame, shown] = [found, null, null];
      opening.show(found);
      stage.show(found, turned);
      panel.show(found);
      record.show(found);
      slice.show(found);
      axes.show(found);
      if (!turned) {
        timeline.show(found);
        plots.show(found);
      }
      if (!again) hand.drop();
      hand.off = Boolean(found.replay);
      of("knife").hidden = of("pin").hidden = Boolean(found.replay);
      if (found.replay) cutting(false);
      if (found.replay) pinning(false);
      const name = title(found.name);
      if (page && !transport.stored) document.title = name ? `${name} · Pliant` : "Pliant";
      of("name").textContent = name;
      documented(found.docs);
      const many = (n, what) => `${n.toLocaleString("en")} ${what}`;
      const facts = found.replay
        ? ["replay", many(found.replay.times.length, "frames"), many(found.nodes, "nodes"), many(found.triangles, "triangles")]
        : [many(found.elements, "elements"), many(found.triangles, "triangles"), found.integrator, found.device];
      of("facts").textContent = [...facts, ...(found.replay?.facts ?? [])].join(" · ");
      of("notes").textContent = (found.notes ?? []).join(" ");
      of("notes").hidden = !found.notes?.length;
      of("notes").classList.toggle("said", !found.replay);
      if (first && page && found.replay) wishes();
      invited = invited || Boolean(found.replay);
    },
    edges(found) {
      if (scene?.epoch === found.epoch) stage.showElements(found);
      panel.showShare(found.share);
    },
    inside(found) {
      if (scene?.epoch === found.epoch) stage.showInside(found);
    },
    frame(found) {
      if (scene && found.epoch === scene.epoch) frame = found;
    },
    state(found) {
      state = found;
      if (!found.inside) asked = false; // what another page has put away is asked for again
      panel.update(found);
      record.update(found);
      timeline.update(found);
      of("uncut").hidden = !found.cuts;
      if (found.note[0] > note && said) tell(found.note[1]);
      [note, said] = [found.note[0], 1];
      status();
      if (shown) legend.update(scene, state, shown);
    },
    statistics(found) {
      plots.push(found);
      record.count(found);
      const rate = of("rate");
      const steps = scene?.replay ? "" : ` · ${Math.round(found.steps_per_second)} steps/s`;
      const slow = Boolean(state?.running) && found.factor < 0.9 * Math.min(state.speed, 1);
      const pace = !slow && state?.speed < 1 ? `Shown ${plain(1 / state.speed, 2)} times slower` : `${slow ? "Slow motion, " : ""}${plain(found.factor, 2)}× real time`;
      const rough = found.ok === false ? ` · not converged: ${found.error > 0 ? `${plain(100 * found.error, 2)} % of the motion left` : "error unknown"}` : "";
      rate.textContent = state?.running ? `${pace}${steps}${rough}` : "paused";
      rate.classList.toggle("slow", slow || Boolean(rough));
    },
    refused(found) {
      if (found.do === "save") record.saved(null);
      tell(found.why);
    },
    saved: (found) => record.saved(found),
    away(why) {
      away = why;
      if (why) hand.drop();
      if (why) record.busy = ""; // whoever wrote is gone
      status();
    },
  });
  const theme = new Theme(root, stage, page, () => {
    panel.dark.input.checked = theme.dark;
    plots.draw();
  });
  const opening = new Opening(of, root, link, { tell, changed: () => status(), page, signal: ended.signal });
  const panel = new Panel(of("panel"), link, stage, { theme, slice, tell, opening });
  const knife = new Knife(stage, link, of("stroke-line"), tell); // before the hand, which it keeps away
  const hand = new Hand(stage, link, of("force"));
  const legend = new Legend(of, link);
  const probe = new Probe(stage, legend, of("probe"));
  const forceScale = new ForceScale(stage, of);
  const axes = new Axes(stage, of("axes"), of("scale"));
  const timeline = new Timeline(of, link);
  const record = new Record(of, stage, link, { tell, changed: () => status() });

  // A link may choose the moment: #t=0.5&colour=stress&wire=1&theme=dark&pause=1
  function wishes() {
    const wish = new URLSearchParams(location.hash.slice(1));
    if (wish.has("wire")) actions.wireframe();
    if (wish.has("theme")) theme.set(wish.get("theme") === "dark");
    if (wish.has("colour")) link.say("colour", { name: wish.get("colour") || "none" });
    if (wish.has("pause")) link.say("pause", { value: true });
    if (wish.has("t")) link.say("seek", { time: Number(wish.get("t")) || 0 });
  }

  // The documentation, where the package says where it is; without an address the name leads to the keys, which say where help is.
  function documented(address) {
    const link = of("home");
    Object.assign(link, address ? { href: address, target: "_blank", rel: "noopener", title: "Documentation" } : { title: "Help (?)" });
    link.onclick = address ? null : (event) => {
      event.preventDefault();
      actions.help();
    };
    const words = address ? [Object.assign(document.createElement("a"), { href: address, target: "_blank", rel: "noopener", textContent: "Documentation" })]
      : scene.replay ? [] : ["More: pliant --help and pliant examples in the shell, help(pl.view) in Python, docs/ in a checkout."];
    of("more").replaceChildren(...words);
  }

  // --- the status line

  function tell(sentence) {
    told = performance.now();
    of("status-text").textContent = sentence;
    of("status").className = "note";
    of("status-reset").hidden = true;
    of("status").hidden = false;
    setTimeout(() => performance.now() - told > 5900 && status(), 6000);
  }

  function status() {
    const [text, kind] = away ? [away, "wait"] : state?.busy ? [state.busy, "wait"] : record.busy ? [record.busy, "wait"] : opening.busy ? [opening.busy, "wait"] : state?.trouble ? [state.trouble, "trouble"] : ["", ""];
    if (text || of("status").className !== "note" || performance.now() - told > 5900) { // what was told a moment ago stays for its time
      of("status-text").textContent = text;
      of("status").className = kind;
      of("status").hidden = !text;
      of("status-reset").hidden = kind !== "trouble";
    }
    const running = Boolean(state?.running);
    of("pause").textContent = running ? "❚❚" : "▶";
    of("pause").setAttribute("aria-pressed", String(!running));
    if (state && tree.activeElement !== of("speed")) of("speed").value = Math.log10(state.speed);
    if (state) of("speed-value").textContent = `${plain(state.speed, 2)}×`;
  }

  function pinning(on) {
    hand.pinning = on && !scene?.replay;
    of("pin").setAttribute("aria-pressed", String(hand.pinning));
    if (hand.pinning) cutting(false);
  }

  function cutting(on) {
    knife.on = on && !scene?.replay;
    if (knife.on) pinning(false);
    of("knife").setAttribute("aria-pressed", String(knife.on));
    root.classList.toggle("cutting", knife.on);
  }

  // Until somebody has pulled: a word beside the body that says it can be.
  function invite() {
    if (hand.held) invited = true;
    const at = invited || away || state?.busy ? null : stage.topOnScreen();
    of("hint").hidden = !at;
    if (!at) return;
    const { left, top } = stage.canvas.getBoundingClientRect();
    const high = Math.max(at.y - top - 10, of("title").offsetHeight + 50); // never over the title
    of("hint").style.transform = `translate(calc(${at.x - left}px - 50%), calc(${high}px - 100%))`;
  }

  // Lids have the values of a field where it is told what is inside.
  function lookInside() {
    const wanted = Boolean(stage.plane) && (state?.field ?? "none") !== "none" && state.inside !== undefined;
    if (wanted === asked) return;
    asked = wanted;
    link.say("inside", { value: wanted });
  }

  // --- buttons and keys

  const actions = {
    pause: () => link.say("pause", { value: Boolean(state?.running) }),
    step: () => link.say("step"),
    back: () => (scene?.replay ? timeline.back() : link.say("back")),
    reset: () => link.say("reset"),
    faster: (by) => {
      const speed = Math.min(Math.max((state?.speed ?? 1) * by, 0.01), 10);
      link.say("speed", { value: speed });
    },
    wireframe: () => {
      stage.wireframe = !stage.edges;
      panel.edges.input.checked = stage.edges;
    },
    elements: () => link.say("elements", { value: !state?.elements }),
    plots: () => {
      of("plots").hidden = !of("plots").hidden;
    },
    fold: () => {
      const folded = root.classList.toggle("folded");
      of("fold").textContent = folded ? "⟨" : "⟩";
      of("fold").setAttribute("aria-expanded", String(!folded));
      resize();
    },
    knife: () => cutting(!knife.on),
    pin: () => pinning(!hand.pinning),
    uncut: () => state?.cuts && link.say("uncut"),
    help: () => (of("help").open ? of("help").close() : of("help").showModal()),
  };
  for (const name of ["pause", "back", "step", "reset", "fold", "knife", "pin", "uncut"]) of(name).addEventListener("click", actions[name]);
  of("status-reset").addEventListener("click", actions.reset);
  of("help-button").addEventListener("click", actions.help);
  of("lost").addEventListener("click", () => stage.frameView(true));
  of("speed").addEventListener("input", () => {
    const value = Number((10 ** of("speed").valueAsNumber).toPrecision(2));
    of("speed-value").textContent = `${plain(value, 2)}×`;
    link.soon("speed", "speed", { value });
  });

  const keys = {
    " ": actions.pause, ".": actions.step, r: actions.reset, "+": () => actions.faster(1.5), "=": () => actions.faster(1.5),
    "-": () => actions.faster(1 / 1.5), c: () => panel.nextColour(), w: actions.wireframe, e: actions.elements, k: actions.knife, n: actions.pin, z: actions.uncut, f: () => stage.frameView(true),
    u: () => link.say("unpin", { pin: -1 }), p: actions.plots, s: actions.fold,
    o: () => record.toggle(), x: () => record.open(), t: () => theme.set(!theme.dark), ",": actions.back, 1: () => stage.lookFrom(-90, 0), 2: () => stage.lookFrom(0, 0), 3: () => stage.lookFrom(-90, 90), 4: () => stage.frameView(true), ArrowLeft: () => timeline.back(),
    ArrowRight: () => timeline.on(), Home: () => timeline.edge(0), End: () => timeline.edge(-1), l: () => timeline.loop(), "?": actions.help, h: actions.help,
  };
  function press(event) {
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const [target] = event.composedPath();
    const sliding = target instanceof HTMLInputElement && target.type === "range" && event.key.length > 1; // a slider has arrows of its own
    const typing = sliding || target instanceof HTMLInputElement && target.type === "number" || target instanceof HTMLSelectElement || (target instanceof HTMLButtonElement && event.key === " ");
    if (!action || typing || !scene || event.ctrlKey || event.metaKey || event.altKey || (of("help").open && event.key !== "?")) return;
    event.preventDefault();
    action();
  }
  (page ? window : root).addEventListener("keydown", press, { signal: ended.signal });
  // the wheel belongs to the page around until somebody clicks here
  const framed = window.parent !== window;
  const near = () => (stage.controls.enableZoom = (page && !framed) || tree.activeElement !== null);
  for (const name of ["focusin", "focusout"]) tree.addEventListener(name, () => setTimeout(near));
  near();

  const resize = () => stage.resize(root.clientWidth, root.clientHeight, root.classList.contains("folded"));
  const watched = new ResizeObserver(resize);
  watched.observe(root);
  // on a telephone, or in a frame of another page, the settings would cover the body
  if (root.clientWidth < (framed ? 1000 : 700)) actions.fold();
  resize();

  // --- one picture after the other

  function picture() {
    next = requestAnimationFrame(picture);
    if (frame && frame !== shown) {
      shown = frame;
      stage.update(frame);
      of("clock").textContent = `${frame.time.toFixed(2)} s`;
      timeline.at(frame.time);
      plots.at(frame.time);
      slice.at(frame.index);
      legend.update(scene, state, frame);
      if (page) document.documentElement.dataset.state = "ready";
    }
    stage.draw();
    if (page && shown) document.documentElement.dataset.first ??= String(Math.round(performance.now())); // [ms] since the page was asked for
    hand.after(shown?.hands ?? []);
    probe.after(shown);
    forceScale.after();
    axes.after();
    invite();
    lookInside();
    of("lost").hidden = !stage.lost;
    link.flush();
  }
  next = requestAnimationFrame(picture);
  status();
  link.start();

  function destroy() {
    cancelAnimationFrame(next);
    ended.abort();
    theme.destroy();
    watched.disconnect();
    transport.close();
    stage.dispose();
    tree.replaceChildren();
  }

  return { destroy, of, stage, panel, link, actions, knife, record, opening, timeline, plots, theme, latest: () => shown, state: () => state };
}
