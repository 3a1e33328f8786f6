// Every page: the theme, local times, rows by key, and the keys that elements name themselves.
const root = document.documentElement;

document.getElementById("theme")?.addEventListener("click", () => {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("oyer-theme", root.dataset.theme);
});

// On a phone the navigation scrolls: where we are is in sight.
const nav = document.querySelector(".top nav");
const here = nav?.querySelector("[aria-current]");
if (here) nav.scrollLeft = here.offsetLeft - nav.offsetLeft - (nav.clientWidth - here.clientWidth) / 2;

// "5 min ago"; nothing for what is older than a day.
function ago(seconds) {
  if (seconds < 90) return "just now";
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 129600 ? `${Math.round(seconds / 3600)} h ago` : undefined;
}

for (const time of document.querySelectorAll("time[datetime]")) {
  const stamp = new Date(time.dateTime);
  if (!Number.isNaN(stamp.getTime())) {
    time.textContent = ago((Date.now() - stamp) / 1000) ?? stamp.toLocaleDateString([], { dateStyle: "medium" });
    time.title = stamp.toLocaleString([], { dateStyle: "full", timeStyle: "medium" });
  }
}

// ── rows: j and k move, Enter opens ──
const rows = [...document.querySelectorAll("[data-rows] tbody tr")];
let current = -1;

function goTo(number) {
  if (!rows.length) return;
  rows[current]?.classList.remove("current");
  current = Math.max(0, Math.min(rows.length - 1, number));
  rows[current].classList.add("current");
  rows[current].querySelector("a.row")?.focus({ preventScroll: true });
  rows[current].scrollIntoView({ block: "nearest" });
}

for (const row of rows) {
  row.addEventListener("click", (event) => {
    if (!event.target.closest("a, button, input") && !getSelection().toString()) {
      row.querySelector("a.row")?.click();
    }
  });
}

// ── keys ──
const own = new Map(); // key -> [what it does, function]; pages add theirs

export function addKey(key, help, act) {
  own.set(key, [help, act]);
}

if (rows.length) {
  addKey("j", "Next row", () => goTo(current + 1));
  addKey("k", "Row before", () => goTo(current - 1));
}

function named() {
  const keys = new Map(own);
  for (const element of document.querySelectorAll("[data-key]")) {
    if (!element.disabled) keys.set(element.dataset.key, [element.dataset.help, () => element.click()]);
  }
  for (const element of document.querySelectorAll("[data-focus-key]")) {
    keys.set(element.dataset.focusKey, [element.dataset.help, () => element.focus()]);
  }
  return keys;
}

const help = document.getElementById("help");
document.getElementById("keys")?.addEventListener("click", () => {
  const list = help.querySelector("dl");
  list.replaceChildren();
  for (const [key, [text]] of named()) {
    const term = document.createElement("dt");
    for (const part of key.split(" ")) {
      const cap = document.createElement("kbd");
      cap.textContent = part;
      term.append(cap);
    }
    const meaning = document.createElement("dd");
    meaning.textContent = text ?? "";
    list.append(term, meaning);
  }
  help.showModal();
});

let before = ""; // the first key of a pair: g r
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea, [contenteditable]");
  if (event.key === "Escape" && typing) return typing.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey || help?.open) return;
  const keys = named();
  const pair = `${before} ${event.key}`;
  const found = keys.get(pair) ?? keys.get(event.key);
  before = [...keys.keys()].some((key) => key.startsWith(`${event.key} `)) ? event.key : "";
  if (found) {
    event.preventDefault();
    found[1](event);
  }
});

// ── on a phone the source is a drawer at the foot of the screen ──
export function openDrawer(open) {
  const handle = document.querySelector(".handle");
  handle?.setAttribute("aria-expanded", String(open));
  handle?.parentElement.classList.toggle("open", open);
}

for (const handle of document.querySelectorAll(".handle")) {
  handle.addEventListener("click", () => openDrawer(handle.getAttribute("aria-expanded") !== "true"));
}

// ── words to the server: JSON, and errors said aloud ──
export async function send(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({ error: "The server gave no answer." }));
  if (!response.ok) throw new Error(answer.error ?? `The server says ${response.status}.`);
  return answer;
}

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}
