// A transport over a WebSocket, which comes back by itself when it breaks.
//
// A transport has start({open, away, text, bytes}), send(text) and close(). It calls open() whenever a conversation begins anew,
// away() when it ends, text(string) and bytes(ArrayBuffer) for what comes, or say, scene and frame with what needs no unpacking. One that reaches a server has
// download(path, name) and upload(files, progress) as well.

const [SOON, LATE] = [500, 5000]; // [ms] until the first and the latest try
const [PART, AHEAD] = [2 ** 16, 2 ** 20]; // [bytes] of a message with a part of a file, and that may wait to be sent

// Send files over a line of their own; resolves to why they are refused, or to nothing.
function upload(url, files, progress) {
  return new Promise((done) => {
    const line = new WebSocket(url);
    const parts = async () => {
      let sent = 0;
      for (const file of files) {
        for (let at = 0; at < file.size && line.readyState === WebSocket.OPEN; at += PART) {
          line.send(await file.slice(at, at + PART).arrayBuffer());
          progress((sent += Math.min(PART, file.size - at)));
          while (line.bufferedAmount > AHEAD && line.readyState === WebSocket.OPEN) await new Promise((soon) => setTimeout(soon, 20));
        }
      }
    };
    line.onopen = () => line.send(JSON.stringify({ files: files.map(({ name, size }) => [name, size]) }));
    line.onmessage = ({ data }) => {
      const { say, why } = JSON.parse(data);
      if (say === "go") parts().catch(() => (done(`${files[0].name} cannot be read by the browser.`), line.close()));
      else done(say === "refused" ? why : "");
    };
    line.onclose = () => done("The file could not be sent; try again.");
  });
}

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
    upload: (files, progress) => upload(url.replace("/live", "/open"), files, progress),
    send: (text) => line.readyState === WebSocket.OPEN && line.send(text),
    close: () => {
      closed = true;
      clearTimeout(timer);
      line.close();
    },
  };
}
