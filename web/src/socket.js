// A transport over a WebSocket, which comes back by itself when it breaks.
//
// A transport has start({open, away, text, bytes}), send(text) and close(). It calls open() whenever a conversation begins anew,
// away() when it ends, text(string) and bytes(ArrayBuffer) for what comes, or say, scene and frame with what needs no unpacking. One that reaches a server has download(path, name) as well.

const [SOON, LATE] = [500, 5000]; // [ms] until the first and the latest try

export function socket(url) {
  let [line, pause, timer, closed] = [null, SOON, 0, false];

  function connect(on) {
    line = new WebSocket(url);
    line.binaryType = "arraybuffer";
    line.onopen = () => {
      pause = SOON;
      on.open();
    };
    line.onmessage = ({ data }) => (typeof data === "string" ? on.text(data) : on.bytes(data));
    line.onclose = () => {
      if (closed) return;
      on.away();
      timer = setTimeout(() => connect(on), pause);
      pause = Math.min(2 * pause, LATE);
    };
  }

  return {
    start: connect,
    download: (path, name) => Object.assign(document.createElement("a"), { href: `${path}${new URL(url).search}`, download: name }).click(),
    send: (text) => line.readyState === WebSocket.OPEN && line.send(text),
    close: () => {
      closed = true;
      clearTimeout(timer);
      line.close();
    },
  };
}
