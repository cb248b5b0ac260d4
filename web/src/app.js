// What the bundle offers: the component, the way to a server, and the widget of a notebook.

export { mount } from "./main.js";
export { socket } from "./socket.js";
export { default } from "./widget.js";
