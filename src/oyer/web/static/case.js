// A case: claim ↔ evidence by hover, focus and key; which column's marks the source shows.
import { addKey, element, send } from "./page.js";

const marks = [...document.querySelectorAll("mark[data-marks]")];
const findings = [...document.querySelectorAll("[data-names]")];
const columns = [...document.querySelectorAll("[data-column]")];
const source = document.querySelector(".source");
let current = -1;

function names(place) {
  return new Set((place.dataset.names ?? place.dataset.marks ?? "").split(" ").filter(Boolean));
}

function light(wanted, scroll) {
  let first = null;
  for (const mark of marks) {
    const on = [...names(mark)].some((name) => wanted.has(name));
    mark.classList.toggle("on", on);
    if (on && source.contains(mark)) first ??= mark;
  }
  for (const finding of findings) {
    finding.classList.toggle("on", [...names(finding)].some((name) => wanted.has(name)));
  }
  if (scroll && first) {
    const box = source.getBoundingClientRect();
    const place = first.getBoundingClientRect();
    if (place.top < box.top || place.bottom > box.bottom) {
      source.scrollTop += place.top - box.top - box.height / 3;
    }
  }
}

// The source carries the marks of all candidates; those of the active one count.
function activate(column) {
  for (const one of columns) one.classList.toggle("active", one === column && columns.length > 1);
  const own = `c${column.dataset.column}`;
  for (const mark of marks) {
    if (!source.contains(mark)) continue;
    mark.classList.toggle("off", ![...names(mark)].some((name) => name.match(/^c\d+/)[0] === own));
  }
}

for (const place of [...findings, ...marks]) {
  const show = (scroll) => {
    const column = place.closest("[data-column]");
    if (column) activate(column);
    light(names(place), scroll && !source.contains(place));
  };
  place.addEventListener("mouseenter", () => show(false));
  place.addEventListener("focus", () => show(true));
  place.addEventListener("click", () => show(true));
  place.addEventListener("mouseleave", () => light(new Set(), false));
}
for (const column of columns) {
  column.addEventListener("mouseenter", () => activate(column));
  column.addEventListener("focusin", () => activate(column));
}
if (columns.length) activate(columns.find((column) => `#${column.id}` === location.hash) ?? columns[0]);

function go(step) {
  const visible = findings.filter((finding) => finding.checkVisibility());
  if (!visible.length) return;
  current = (current + step + visible.length) % visible.length;
  visible[current].focus();
}
addKey("j", "Next finding", () => go(1));
addKey("k", "Finding before", () => go(-1));
addKey("f", "All findings", () => toggle("details.all"));
addKey("d", "How it was computed", () => toggle("details.derivation"));
columns.slice(0, 9).forEach((column, at) => {
  addKey(String(at + 1), `Candidate ${column.querySelector("h2").textContent}`, () => {
    activate(column);
    column.scrollIntoView({ block: "nearest", inline: "start" });
  });
});

function toggle(which) {
  const all = [...document.querySelectorAll(which)];
  const open = !all.some((one) => one.open);
  for (const one of all) one.open = open;
}

// ── raw: fetched when it is opened ──
for (const details of document.querySelectorAll("details.rawer")) {
  details.addEventListener("toggle", async () => {
    if (!details.open || details.dataset.full) return;
    details.dataset.full = "yes";
    const verdict = details.closest("[data-verdict]").dataset.verdict;
    const raw = await send("/api/raw", { verdict });
    for (const reply of raw.replies) {
      details.append(
        element("h3", {}, `Reply ${reply.attempt} of ${reply.judge}, as it came (${reply.usage})`),
        element("pre", { class: "raw", tabindex: "0" }, reply.text),
      );
    }
    if (raw.prompt) {
      details.append(
        element("h3", {}, "The prompt of this protocol for this case (its code is fresh each time)"),
        element("pre", { class: "raw", tabindex: "0" }, raw.prompt),
      );
    }
    details.append(element("h3", {}, "The record"), element("pre", { class: "raw", tabindex: "0" }, raw.record));
  });
}
