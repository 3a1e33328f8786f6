// A case: claim ↔ evidence by hover, focus and key; which column's marks the source shows.
import { addKey, element, openDrawer, send } from "./page.js";

const marks = [...document.querySelectorAll("mark[data-marks]")];
const findings = [...document.querySelectorAll("[data-names]")];
const columns = [...document.querySelectorAll("[data-column]")];
const source = document.querySelector(".source");
const whose = document.getElementById("whose");
let current = -1;
let active = null; // the column whose marks the source shows
const GRAVITY = ["point", "evidence", "good", "partial", "missed", "bad"];

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
  if (column === active) return; // else what a focus has just lit would be put out
  active = column;
  for (const one of columns) one.classList.toggle("active", one === column && columns.length > 1);
  if (whose) whose.textContent = column.querySelector("h2").textContent;
  const own = `c${column.dataset.column}`;
  for (const mark of marks) {
    if (!source.contains(mark)) continue;
    const kinds = mark.dataset.kinds.split(" ");
    const here = mark.dataset.marks.split(" ").map((name, at) => (name.match(/^c\d+/)[0] === own ? GRAVITY.indexOf(kinds[at]) : -1));
    const gravest = Math.max(-1, ...here);
    mark.className = gravest < 0 ? "off" : `m-${GRAVITY[gravest]}`;
  }
}

function isInSource(place) {
  const wanted = names(place);
  return marks.some((mark) => source.contains(mark) && [...names(mark)].some((name) => wanted.has(name)));
}

for (const place of [...findings, ...marks]) {
  const show = (scroll) => {
    const column = place.closest("[data-column]");
    if (column) activate(column);
    light(names(place), scroll && !source.contains(place));
  };
  place.addEventListener("mouseenter", () => show(false));
  place.addEventListener("focus", () => show(true));
  place.addEventListener("click", () => {
    if (isInSource(place)) openDrawer(true); // to see its evidence
    show(true);
    place.classList.toggle("open");
  });
  // A page that scrolls to what is focused moves it away under the pointer: the focus counts.
  place.addEventListener("mouseleave", () => light(names(document.activeElement), false));
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
    column.parentElement.scrollTo({ left: column.offsetLeft - column.parentElement.offsetLeft });
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

// ── what if: the protocol's own code computes the score again ──
for (const details of document.querySelectorAll("details.all")) {
  details.addEventListener("toggle", async () => {
    if (!details.open || details.dataset.full) return;
    details.dataset.full = "yes";
    const column = details.closest("[data-verdict]");
    const { labels } = await send("/api/labels-of", { verdict: column.dataset.verdict });
    for (const label of labels) {
      const finding = details.querySelector(`[data-where="${CSS.escape(label.place)}"]`);
      offer(column, finding ?? addFinding(details, label), label);
    }
  });
}

// A label of the whole verdict, such as a critical fail: no list has it.
function addFinding(details, label) {
  const finding = element("div", { class: "finding", "data-where": label.place },
    element("span", { class: "label" }), element("span", {}, label.name.replaceAll("_", " ")));
  details.append(finding);
  return finding;
}

function offer(column, finding, label) {
  const select = element("select", { class: "whatif", "aria-label": `What if ${label.name} were`, "data-label": label.where, "data-was": label.value });
  for (const choice of label.choices) {
    const option = element("option", { value: choice }, choice === label.value ? choice : `if ${choice}`);
    if (choice === label.value) option.selected = true;
    select.append(option);
  }
  select.addEventListener("change", () => compute(column));
  const place = finding.querySelector(".label");
  if (place.querySelector("select")) place.append(select);
  else place.replaceChildren(select);
}

async function compute(column) {
  const changes = {};
  for (const select of column.querySelectorAll("select.whatif")) {
    const changed = select.value !== select.dataset.was;
    select.classList.toggle("changed", changed);
    if (changed) changes[select.dataset.label] = select.value;
  }
  const old = column.querySelector(".outcome");
  const out = old ?? element("div", { class: "outcome", "aria-live": "polite" });
  if (!old) column.querySelector(".decided").append(out);
  let what;
  try {
    what = await send("/api/what-if", { verdict: column.dataset.verdict, changes });
  } catch (error) {
    out.replaceChildren(element("p", { class: "wrong" }, error.message));
    return;
  }
  const change = what.total - what.before;
  const sign = change > 0 ? "+" : change < 0 ? "−" : "±";
  out.replaceChildren(
    element("p", {}, "What if: ", element("b", { "data-what-if": String(what.total) }, String(what.total)),
      ` (${sign}${Math.abs(change).toFixed(2)}) `),
    ...what.lifted.map((cap) => element("p", { class: "sub better" }, `lifted: ${cap}`)),
    ...what.fallen.map((cap) => element("p", { class: "sub wrong" }, `now capped by ${cap}`)),
    element("details", {}, element("summary", {}, `${what.steps.length} steps changed`),
      ...what.steps.map((step) => element("p", { class: "sub" }, element("code", {}, step.rule), ` ${step.formula} → ${step.value}`))),
  );
  const reset = element("button", { class: "button" }, "Reset");
  reset.addEventListener("click", () => {
    for (const select of column.querySelectorAll("select.whatif")) select.value = select.dataset.was;
    for (const select of column.querySelectorAll("select.whatif")) select.classList.remove("changed");
    show(column, null);
    out.remove();
  });
  out.append(reset);
  show(column, what.scores);
}

function show(column, scores) {
  for (const cell of column.querySelectorAll("[data-score]")) {
    cell.dataset.was ??= cell.textContent;
    const now = scores ? String(scores[cell.dataset.score]) : cell.dataset.was;
    cell.textContent = now;
    cell.classList.toggle("changed", now !== cell.dataset.was);
  }
}
document.body.dataset.ready = "yes";
