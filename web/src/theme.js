// Light or dark: as the system has it where the page is the component's own, or as a notebook is, until somebody chooses.

export class Theme {
  constructor(root, stage, page, changed) {
    Object.assign(this, { root, stage, changed, dark: false, ended: new AbortController() });
    const prefers = matchMedia("(prefers-color-scheme: dark)");
    const given = () => (page ? prefers.matches : document.body.dataset.jpThemeLight === "false");
    prefers.addEventListener("change", () => this.set(given()), { signal: this.ended.signal });
    this.apply(given());
  }

  set(dark) {
    this.apply(dark);
    this.changed();
  }

  apply(dark) {
    this.dark = dark;
    this.root.dataset.theme = dark ? "dark" : "light";
    this.stage.dark = dark;
  }

  destroy() {
    this.ended.abort();
  }
}
