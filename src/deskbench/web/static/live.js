// The page of a live desktop: draws the tiles it is sent, and sends back what hands do.

import { listen } from "./keys.js";

const el = (id) => document.getElementById(id);
const canvas = el("screen");
const pen = canvas.getContext("2d", { alpha: false });
const field = el("keyboard");

const BUTTONS = ["left", "middle", "right", "back", "forward"];
const CHORDS = ["ctrl+w", "ctrl+n", "ctrl+t", "ctrl+shift+n", "ctrl+shift+w", "ctrl+q", "ctrl+tab", "alt+tab", "alt+f4", "super", "f5", "f11", "print_screen"];
const WHEEL_NOTCH_PIXELS = 100;
const WHEEL_NOTCH_LINES = 3;
const COPIED_WITHIN_MS = 3000;
const TROUBLE_SHOWS_MS = 15000;
const CLOSED = 1001;

let socket = null;
let retryMs = 250;
let fading = 0;
let drawn = 0;
let copiedAt = -Infinity;
let told = { windows: [], clipboard: "" };

function say(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function report(text, grave = false) {
  el("trouble").textContent = text;
  el("trouble").title = text;
  el("trouble").className = grave ? "grave" : "";
  clearTimeout(fading);
  if (grave) fading = setTimeout(() => report(""), TROUBLE_SHOWS_MS);
}

function light(state, curtain = "") {
  el("light").dataset.state = state;
  el("curtain").hidden = !curtain;
  el("curtain-text").textContent = curtain;
}

// Connection

function connect() {
  const address = new URL("socket", location.href);
  address.protocol = "ws:";
  const mine = new WebSocket(address);
  mine.binaryType = "arraybuffer";
  let drawing = Promise.resolve();
  mine.onmessage = ({ data }) => {
    if (typeof data === "string") heed(JSON.parse(data));
    else drawing = drawing.then(() => draw(data)).catch((error) => report(`A picture could not be drawn: ${error.message}`, true));
  };
  mine.onopen = () => {
    socket = mine;
    retryMs = 250;
    report("");
    if (document.hidden) say({ kind: "watching", watching: false });
  };
  mine.onclose = (event) => {
    socket = null;
    if (event.code === CLOSED) return light("gone", "The desktop is closed.");
    light("gone", "Not connected. Trying again…");
    setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, 5000);
  };
}

function heed(message) {
  switch (message.kind) {
    case "hello": return greet(message);
    case "state": return tell(message);
    case "pong": el("latency").textContent = `${(performance.now() - message.stamp).toFixed(0)} ms`; return;
    case "trouble": light("live"); report(message.text, true); return;
    case "done": light("live"); if (!el("trouble").classList.contains("grave")) report(""); return;
  }
}

function greet({ size, apps }) {
  [canvas.width, canvas.height] = size;
  el("size").textContent = `${size[0]} × ${size[1]}`;
  el("opener").hidden = !apps.length;
  el("apps").replaceChildren(new Option("Open…", ""), ...apps.map((name) => new Option(name, name)));
  light("live");
  fit();
  field.focus({ preventScroll: true });
}

// Picture

async function draw(data) {
  const header = new DataView(data, 0, 16);
  const [x, y] = [header.getUint16(4), header.getUint16(6)];
  const type = header.getUint8(12) ? "image/png" : "image/jpeg";
  const tile = await createImageBitmap(new Blob([new Uint8Array(data, 16)], { type }));
  pen.drawImage(tile, x, y);
  tile.close();
  if (!header.getUint8(13)) return;
  drawn += 1;
  say({ kind: "shown", update: header.getUint32(0) });
}

function fit() {
  const room = el("stage").getBoundingClientRect();
  const margin = document.fullscreenElement ? 0 : 8;
  const scale = Math.min((room.width - 2 * margin) / canvas.width, (room.height - 2 * margin) / canvas.height);
  // Within a hair of one picture pixel to a screen pixel, take exactly that: text stays sharp.
  const exact = 1 / devicePixelRatio;
  const chosen = scale >= exact && scale < exact * 1.06 ? exact : scale;
  canvas.style.width = `${canvas.width * chosen}px`;
  canvas.style.height = `${canvas.height * chosen}px`;
  canvas.style.imageRendering = Number.isInteger(Math.round(chosen * devicePixelRatio * 1000) / 1000) ? "pixelated" : "auto";
}

// Pointer

export function place(event) {
  const box = canvas.getBoundingClientRect();
  const within = (value, size) => Math.min(size - 1, Math.max(0, Math.floor(value)));
  return {
    x: within((event.clientX - box.left) * canvas.width / box.width, canvas.width),
    y: within((event.clientY - box.top) * canvas.height / box.height, canvas.height),
  };
}

let going = null;
function move(event) {
  const first = going === null;
  going = place(event);
  el("pointer").textContent = `${going.x}, ${going.y}`;
  if (first) requestAnimationFrame(flushMove);
}
function flushMove() {
  if (going !== null) say({ kind: "move", ...going });
  going = null;
}

canvas.addEventListener("pointermove", (event) => {
  // A second button during a drag comes as a move with another set of buttons.
  if (event.button >= 0) return button(event, event.buttons & (1 << [0, 2, 1, 3, 4][event.button]) ? "press" : "release");
  move(event);
});
canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); button(event, "press"); });
canvas.addEventListener("pointerup", (event) => button(event, "release"));
canvas.addEventListener("pointercancel", () => say({ kind: "release_all" }));
canvas.addEventListener("contextmenu", (event) => event.preventDefault());

function button(event, kind) {
  event.preventDefault();
  field.focus({ preventScroll: true });
  flushMove();
  say({ kind, button: BUTTONS[event.button] ?? "left", ...place(event) });
}

const turned = { x: 0, y: 0 };
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const notch = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? WHEEL_NOTCH_PIXELS : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? WHEEL_NOTCH_LINES : 0.34;
  turned.x += event.deltaX / notch;
  turned.y += event.deltaY / notch;
  const bounded = (value) => Math.max(-50, Math.min(50, Math.trunc(value)));
  const [dx, dy] = [bounded(turned.x), bounded(turned.y)];
  if (!dx && !dy) return;
  turned.x -= dx;
  turned.y -= dy;
  say({ kind: "scroll", dx, dy, ...place(event) });
}, { passive: false });

// Windows, applications, clipboard

function tell(state) {
  const before = told;
  told = state;
  if (JSON.stringify(before.windows) !== JSON.stringify(state.windows)) showWindows(state.windows);
  if (before.clipboard === state.clipboard) return;
  if (document.activeElement !== el("cliptext")) el("cliptext").value = state.clipboard;
  if (performance.now() - copiedAt < COPIED_WITHIN_MS && state.clipboard) take(state.clipboard, false);
}

function showWindows(windows) {
  const byAge = [...windows].sort((one, other) => one.id - other.id);
  el("windows").replaceChildren(...byAge.filter((w) => w.title).map((w) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.textContent = tab.title = w.title;
    tab.ariaCurrent = String(w.focused);
    tab.onclick = () => { say({ kind: "focus_window", title: w.title }); field.focus(); };
    return tab;
  }));
}

async function take(text, aloud) {
  try {
    await navigator.clipboard.writeText(text);
    if (aloud) report("Copied to your clipboard.");
  } catch {
    if (aloud) report("The browser keeps its clipboard closed; copy the text from the panel instead.", true);
  }
}

el("apps").onchange = ({ target }) => {
  if (!target.value) return;
  light("busy");
  report(`Opening ${target.value}…`);
  say({ kind: "open_app", app: target.value });
  target.value = "";
  field.focus();
};
el("chords").append(...CHORDS.map((chord) => new Option(chord.replaceAll("_", " "), chord)));
el("chords").onchange = ({ target }) => {
  if (target.value) say({ kind: "key", keys: target.value.split("+") });
  target.value = "";
  field.focus();
};
el("clip").onclick = () => {
  const open = el("clipboard").hidden;
  el("clipboard").hidden = !open;
  el("clip").ariaExpanded = String(open);
  if (open) { el("cliptext").value = told.clipboard; el("cliptext").focus(); } else field.focus();
};
el("clip-put").onclick = () => { say({ kind: "copy", text: el("cliptext").value }); field.focus(); };
el("clip-type").onclick = () => { say({ kind: "type", text: el("cliptext").value }); field.focus(); };
el("clip-take").onclick = () => take(el("cliptext").value, true);
el("full").onclick = async () => {
  if (document.fullscreenElement) return document.exitFullscreen();
  await el("stage").requestFullscreen();
  await navigator.keyboard?.lock?.().catch(() => {});
  field.focus();
};
el("reset").onclick = () => el("sure").showModal();
el("sure").onclose = () => {
  field.focus();
  if (el("sure").returnValue !== "yes") return;
  light("busy");
  report("Resetting…");
  say({ kind: "reset" });
};

// The page as a whole

listen(field, { say, copied: () => { copiedAt = performance.now(); } });
new ResizeObserver(fit).observe(el("stage"));
document.addEventListener("visibilitychange", () => say({ kind: "watching", watching: !document.hidden }));
setInterval(() => {
  el("fps").textContent = `${drawn} fps`;
  drawn = 0;
  say({ kind: "ping", stamp: performance.now() });
}, 1000);
connect();
