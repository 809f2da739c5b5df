// From the browser's keyboard to the desktop's.
//
// Modifiers are held on the desktop for as long as they are held here, so that they work with the mouse too. A key that
// gives a character is sent as that character: the two keyboards need not have the same layout. Everything else joins
// what is held. Text from an input method, from a dead key or from a paste arrives whole.

const ON_A_MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const MODIFIERS = { Control: "ctrl", Shift: "shift", Alt: "alt", Meta: ON_A_MAC ? "ctrl" : "super" };
const NAMED = {
  Enter: "enter", Tab: "tab", Escape: "escape", Backspace: "backspace", Delete: "delete", Insert: "insert", Home: "home", End: "end",
  PageUp: "page_up", PageDown: "page_down", ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
  ContextMenu: "menu", PrintScreen: "print_screen", Pause: "pause",
};
const LEFT_TO_THE_INPUT_METHOD = new Set(["Dead", "Process", "Unidentified", "Compose"]);
const LEFT_TO_THE_BROWSER = new Set(["AltGraph", "CapsLock", "NumLock", "ScrollLock", "Fn", "FnLock"]);

function named(key) {
  return NAMED[key] ?? (/^F([1-9]|1\d|2[0-4])$/.test(key) ? key.toLowerCase() : null);
}

export function listen(field, { say, copied }) {
  const held = new Map(); // physical key -> the modifier it is on the desktop
  let composing = false;
  let pasting = null;

  const letGo = () => {
    held.clear();
    say({ kind: "release_all" });
  };

  const chording = (event) => [...held.values()].some((name) => name !== "shift") && !event.getModifierState("AltGraph");

  field.addEventListener("keydown", (event) => {
    if (composing || event.isComposing || event.keyCode === 229 || LEFT_TO_THE_INPUT_METHOD.has(event.key)) return;
    if (LEFT_TO_THE_BROWSER.has(event.key)) return;
    if (event.key in MODIFIERS) {
      event.preventDefault();
      if (!event.repeat && !held.has(event.code)) {
        held.set(event.code, MODIFIERS[event.key]);
        say({ kind: "key_down", key: MODIFIERS[event.key] });
      }
      return;
    }
    const name = named(event.key);
    if (name) {
      event.preventDefault();
      say({ kind: "tap", key: name });
      return;
    }
    if ([...event.key].length !== 1) return;
    if (!chording(event)) {
      event.preventDefault();
      say({ kind: "tap", key: event.key, text: true });
      return;
    }
    if (event.key.toLowerCase() === "v" && !held.has("AltLeft")) {
      pasting = event.key; // the paste event that follows brings the text along
      return;
    }
    event.preventDefault();
    say({ kind: "tap", key: event.key });
    if ("cx".includes(event.key.toLowerCase())) copied();
  });

  field.addEventListener("keyup", (event) => {
    const modifier = held.get(event.code);
    if (modifier === undefined) return;
    event.preventDefault();
    held.delete(event.code);
    if (![...held.values()].includes(modifier)) say({ kind: "key_up", key: modifier });
  });

  field.addEventListener("paste", (event) => {
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (pasting === null) {
      if (text) say({ kind: "paste", text });
      return;
    }
    if (text) say({ kind: "copy", text });
    say({ kind: "tap", key: pasting });
    pasting = null;
  });

  const take = () => {
    const text = field.value;
    field.value = "";
    if (text) say({ kind: "type", text });
  };
  field.addEventListener("compositionstart", () => { composing = true; });
  field.addEventListener("compositionend", () => { composing = false; take(); });
  field.addEventListener("input", (event) => { if (!event.isComposing && !composing) take(); });
  field.addEventListener("blur", letGo);
}
