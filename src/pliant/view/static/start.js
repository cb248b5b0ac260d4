// The full page: one component that fills the window, connected to the server that the page came from.
import(`./app.js${location.search}`).then(({ mount, socket }) => {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const transport = socket(`${scheme}://${location.host}/live${location.search}`);
  globalThis.pliant = mount(document.querySelector("main"), transport, { page: true }); // to look at from the console and from tests
});
