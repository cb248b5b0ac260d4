// What the bundle offers: the component, the way to a server, and the widget of a notebook. In a file with a run inside, it plays it.

import { playStored } from "./stored.js";

export { mount } from "./main.js";
export { socket } from "./socket.js";
export { default } from "./widget.js";

if (document.getElementById("pliant-run")) playStored();
