// One sheet before one person. A label gets its id here, waits in this browser until the server has
// it on its disk, and is sent again after a failure: the same id is kept once.
import { addKey, send } from "./page.js";

const sheet = document.getElementById("sheet");
const trouble = document.getElementById("trouble");
const units = [...document.querySelectorAll(".unit")];
const marks = [...document.querySelectorAll("mark[data-marks]")];
let current = -1;
let shown = performance.now();

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
}

// ── what is not on the server's disk yet ──
const BOX = "oyer-waiting";
const read = () => JSON.parse(localStorage.getItem(BOX) ?? "[]");
const write = (waiting) => {
  localStorage.setItem(BOX, JSON.stringify(waiting));
  document.body.dataset.waiting = String(waiting.length);
};
const asked = new Map(); // id -> who waits for the answer on this page
let busy = false;

function post(path, body) {
  write([...read(), { path, body }]);
  const answer = new Promise((done, refused) => asked.set(body.id, { done, refused }));
  flush();
  return answer;
}

async function flush() {
  if (busy) return;
  busy = true;
  for (let waiting = read(); waiting.length; waiting = read()) {
    const { path, body } = waiting[0];
    const who = asked.get(body.id);
    try {
      const answer = await send(path, body);
      say("");
      settle(body.id);
      who?.done(answer);
    } catch (error) {
      if (error instanceof TypeError) {
        say("The server does not answer; what you said waits here.");
        await new Promise((wake) => setTimeout(wake, 500));
        continue;
      }
      say(error.message); // it said no: sending again would not help
      settle(body.id);
      who?.refused(error);
    }
  }
  busy = false;
}

function settle(id) {
  write(read().filter((one) => one.body.id !== id));
  asked.delete(id);
}

function say(text) {
  if (trouble) trouble.textContent = text;
}

// ── the units ──
function go(number) {
  if (!units.length) return;
  units[current]?.classList.remove("current");
  current = Math.max(0, Math.min(units.length - 1, number));
  const unit = units[current];
  unit.classList.add("current");
  shown = performance.now();
  const name = unit.dataset.name;
  let first = null;
  for (const mark of marks) {
    const on = mark.dataset.marks.split(" ").includes(name);
    mark.classList.toggle("on", on);
    if (on) first ??= mark;
  }
  first?.scrollIntoView({ block: "nearest" });
  unit.scrollIntoView({ block: "nearest" });
  const number_ = unit.querySelector("input[type=number]");
  if (number_) number_.focus();
  else unit.focus({ preventScroll: true });
}

function label(unit, kind, value, note) {
  const seconds = Math.round((performance.now() - shown) / 10) / 100;
  const body = {
    id: newId(),
    queue: Number(sheet.dataset.queue),
    item: Number(sheet.dataset.item),
    unit: unit.dataset.unit,
    metric: unit.dataset.metric,
    reviewer: sheet.dataset.reviewer,
    kind,
    value,
    seconds,
    note: note ?? "",
  };
  return post("/api/label", body);
}

function choose(unit, kind, value) {
  const at = units.indexOf(unit);
  const kept = label(unit, kind, kind === "skip" ? null : value);
  unit.dataset.given = value || kind;
  for (const button of unit.querySelectorAll(".choice")) {
    const pressed = button.dataset.kind === kind && button.dataset.value === value;
    button.setAttribute("aria-pressed", String(pressed));
  }
  kept.then(() => rescored(unit, kind, value), () => {});
  const next = units.findIndex((one, place) => place > at && !one.dataset.given);
  if (next >= 0) return go(next);
  const left = units.findIndex((one) => !one.dataset.given);
  if (left >= 0) return go(left);
  leave(kept);
}

// The sheet is full: keys do nothing until the next one is there.
function leave(kept) {
  const stay = current;
  current = -1;
  delete document.body.dataset.ready;
  kept.then(onward, () => {
    current = stay;
    document.body.dataset.ready = "yes";
  });
}

// A corrected finding: what the score would be, at once.
async function rescored(unit, kind, value) {
  const out = unit.querySelector(".outcome");
  if (sheet.dataset.mode !== "review" || kind !== "label" || !out) return;
  const { labels } = await send("/api/labels-of", { verdict: sheet.dataset.verdict });
  const found = labels.find((one) => one.place === unit.dataset.unit);
  if (!found) return;
  const what = await send("/api/what-if", { verdict: sheet.dataset.verdict, changes: { [found.where]: value } });
  out.textContent = `The total would be ${what.total} instead of ${what.before}.`;
}

function onward() {
  const wait = sheet.dataset.mode === "review" ? 350 : 0; // time to see the new score
  setTimeout(() => location.assign(`${location.pathname}?as=${encodeURIComponent(sheet.dataset.reviewer)}`), wait);
}

for (const unit of units) {
  for (const button of unit.querySelectorAll(".choice")) {
    button.addEventListener("click", () => choose(unit, button.dataset.kind, button.dataset.value));
  }
  const input = unit.querySelector("input[type=number]");
  input?.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && input.value !== "" && input.checkValidity()) choose(unit, "score", input.value);
    if (event.key === "Escape") input.blur();
  });
  unit.addEventListener("click", (event) => {
    if (!event.target.closest("button, input")) go(units.indexOf(unit));
  });
}

if (units.length) {
  addKey("j", "Next unit", () => go(current + 1));
  addKey("k", "Unit before", () => go(current - 1));
  addKey("s", "Cannot tell", () => units[current]?.querySelector('[data-kind="skip"]')?.click());
  for (let digit = 1; digit <= 9; digit += 1) {
    addKey(String(digit), `Choice ${digit}`, () => {
      const buttons = [...(units[current]?.querySelectorAll('.choice:not([data-kind="skip"])') ?? [])];
      buttons[digit - 1]?.click();
    });
  }
  addKey("m", "Note", () => document.getElementById("note").showModal());
  const note = document.getElementById("note");
  note.addEventListener("close", () => {
    const text = note.querySelector("textarea");
    if (note.returnValue === "keep" && text.value.trim()) label(units[current], "note", null, text.value);
    text.value = "";
  });
  const open = units.findIndex((unit) => !unit.dataset.given);
  go(open < 0 ? 0 : open);
}

document.getElementById("undo")?.addEventListener("click", async () => {
  const answer = await post("/api/undo", {
    id: newId(),
    queue: Number(sheet.dataset.queue),
    reviewer: sheet.dataset.reviewer,
  });
  if (answer?.item) {
    location.assign(`${location.pathname}?as=${encodeURIComponent(sheet.dataset.reviewer)}&item=${answer.item}`);
  } else {
    say("There is nothing to take back.");
  }
});

// ── decisions ──
for (const decision of document.querySelectorAll(".decision")) {
  const keep = async (value) => {
    const who = document.getElementById("decider");
    try {
      await send("/api/decide", {
        queue: Number(decision.dataset.queue),
        labels: decision.dataset.labels.split(" "),
        value,
        reviewer: who.value,
      });
      decision.remove();
      say("");
    } catch (error) {
      say(error.message);
      who.focus();
    }
  };
  for (const button of decision.querySelectorAll(".choice")) button.addEventListener("click", () => keep(button.dataset.value));
  const input = decision.querySelector("input[type=number]");
  input?.addEventListener("keydown", (event) => event.key === "Enter" && input.checkValidity() && keep(input.value));
}

document.body.dataset.waiting = String(read().length);
flush(); // what a closed page, or a dead server, left behind
document.body.dataset.ready = "yes";
