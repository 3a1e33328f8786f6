"use strict";
// Sorts and filters the table of cases, and opens a case. What models wrote only ever becomes text
// nodes; nothing is parsed as markup.
const body = document.querySelector("#matrix tbody");
const rows = Array.from(body.rows);
const heads = Array.from(document.querySelectorAll("#matrix thead th"));
const box = document.getElementById("filter");
const place = document.getElementById("case");
let opened = -1;

function make(tag, parts, attributes) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  for (const part of parts || []) element.append(part);
  return element;
}

// ── the table ──
function sortBy(at) {
  const down = heads[at].getAttribute("aria-sort") === "ascending";
  heads.forEach((head) => head.setAttribute("aria-sort", "none"));
  heads[at].setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = (row) => row.cells[at].dataset.value;
  const compare = at === 0
    ? (a, b) => a.cells[0].textContent.localeCompare(b.cells[0].textContent, undefined, {numeric: true})
    : (a, b) => Number(value(a)) - Number(value(b));
  const known = rows.filter((row) => at === 0 || value(row) !== undefined).sort(compare);
  const unknown = rows.filter((row) => at !== 0 && value(row) === undefined);
  body.append(...(down ? known.reverse() : known), ...unknown);
}
heads.forEach((head, at) => head.firstElementChild.addEventListener("click", () => sortBy(at)));

box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const text = (row.cells[0].textContent + " " + row.dataset.words).toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    shown += row.hidden ? 0 : 1;
  }
  document.getElementById("count").textContent = shown + " shown";
});

// ── one case ──
// Offsets count code points, so texts are cut as arrays of them.
function marked(text, marks, source) {
  const chars = Array.from(text);
  const spans = marks.filter((m) => m[0] === source && m[1] >= 0 && m[1] < m[2] && m[2] <= chars.length);
  const cuts = Array.from(new Set([0, chars.length, ...spans.flatMap((m) => [m[1], m[2]])])).sort((a, b) => a - b);
  const order = ["quiet", "evidence", "good", "partial", "bad"];
  const box = make("div", [], {class: "text", tabindex: "0", dir: "auto", role: "region", "aria-label": source});
  for (let at = 0; at + 1 < cuts.length; at++) {
    const piece = chars.slice(cuts[at], cuts[at + 1]).join("");
    const here = spans.filter((m) => m[1] <= cuts[at] && cuts[at + 1] <= m[2]);
    if (!here.length) { box.append(piece); continue; }
    const kind = here.map((m) => m[3]).sort((a, b) => order.indexOf(b) - order.indexOf(a))[0];
    const element = make("mark", [piece], {class: kind});
    element.dataset.groups = here.map((m) => m[4]).join("\n");
    box.append(element);
  }
  return box;
}

function number(value) { return String(Math.round(value * 100) / 100); }

function scores(verdict) {
  const lines = verdict.scores.map(([name, value, top, stated, differs, caveat]) => {
    const fill = make("i");
    fill.style.width = Math.max(0, Math.min(100, 100 * value / top)) + "%";
    const row = make("tr", [
      make("th", [name], {scope: "row"}),
      make("td", [number(value) + " of " + number(top)], {class: "num"}),
      make("td", [make("span", [fill], {class: "meter"})]),
      make("td", [differs ? "judge: " + number(stated) : ""], {class: "differs"}),
    ]);
    if (caveat) row.title = name + " " + caveat;
    return row;
  });
  return make("table", [make("tbody", lines)], {class: "scores"});
}

function steps(title, list, cells) {
  if (!list.length) return "";
  const lines = list.map((one) => make("tr", cells(one)));
  return make("details", [make("summary", [title]), make("table", [make("tbody", lines)], {class: "steps"})]);
}

function remarks(section, prefix) {
  const items = section.remarks.map(([text, note, where]) => {
    const plain = section.tone === "plain";
    const words = !note ? [text] : plain ? [make("b", [note + ": "]), text] : [text, make("span", [" (" + note + ")"], {class: "dim"})];
    const item = make("li", words, {class: section.tone});
    if (where) item.dataset.groups = prefix + where;
    return item;
  });
  return [make("h3", [section.title]), make("ul", items)];
}

function side(verdict, at, verdicts) {
  // A candidate stands there more than once where several judges read it, or several texts of it.
  const several = verdicts.filter((other) => other.candidate === verdict.candidate).length > 1;
  const prefix = at + ":";
  const own = verdict.marks.map((m) => [m[0], m[1], m[2], m[3], prefix + m[4]]);
  const name = verdict.candidate || "(no candidate)";
  const answer = verdict.answer ? "answer " + verdict.answer + ", " : "";
  const whose = answer + verdict.judge + (verdict.repeat ? ", repeat " + (verdict.repeat + 1) : "");
  const told = verdict.sections.filter((section) => section.tone !== "plain");
  const said = verdict.sections.filter((section) => section.tone === "plain");
  const cell = (text, kind) => make("td", [String(text)], kind ? {class: kind} : {});
  return make("article", [
    make("h3", [name, ...(several ? [make("span", [" · " + whose], {class: "dim"})] : [])]),
    make("p", [verdict.headline], {class: "headline"}),
    ...told.flatMap((section) => remarks(section, prefix)),
    ...(verdict.text ? [make("h3", [verdict.judged]), marked(verdict.text, own, verdict.judged)] : []),
    scores(verdict),
    ...(verdict.corrected ? [make("p", ["The judge broke its rules: " + verdict.corrected + "; none of it is in the score."], {class: "dim"})] : []),
    ...(verdict.trust ? [make("p", [verdict.trust + "."], {class: "dim"})] : []),
    ...said.map((section) => make("details", [make("summary", [section.title]), remarks(section, prefix)[1]], told.length ? {} : {open: ""})),
    steps("The panel", verdict.panel, ([who, what]) => [cell(who), cell(what)]),
    steps("How it was computed", verdict.trace, ([rule, formula, inputs, value, cap]) =>
      [cell(rule, cap ? "rule cap" : "rule"), cell(formula), cell(inputs, "dim"), cell(value, cap ? "cap" : "")]),
    steps("Where the judge broke the protocol", verdict.broken, ([code, where, detail]) =>
      [cell(code, "rule"), cell(where, "dim"), cell(detail)]),
    steps("Also", verdict.extra, ([key, value]) => [cell(key, "rule"), cell(value)]),
    make("p", ["judged by " + whose + " · ", make("a", [verdict.id], {href: "#v-" + verdict.id}), " · ", make("code", [verdict.command])], {class: "dim"}),
  ], {id: "v-" + verdict.id});
}

function open(at, focus) {
  const data = document.getElementById("data-" + at);
  if (!data) return;
  opened = at;
  const found = JSON.parse(data.textContent);
  const every = found.verdicts.flatMap((v, n) => v.marks.map((m) => [m[0], m[1], m[2], m[3], n + ":" + m[4]]));
  const button = (text, to) => {
    const made = make("button", [text], {type: "button"});
    made.addEventListener("click", () => { location.hash = to; });
    return made;
  };
  const heading = make("h2", [found.name], {tabindex: "-1"});
  const bar = make("div", [heading], {class: "bar"});
  if (at > 0) bar.append(button("previous", "#case-" + (at - 1)));
  if (document.getElementById("data-" + (at + 1))) bar.append(button("next", "#case-" + (at + 1)));
  bar.append(button("close", "#cases"));
  const short = found.short.map(([name, value]) => name + ": " + value).join(" · ");
  place.replaceChildren(
    bar,
    ...(short ? [make("p", [short], {class: "dim"})] : []),
    make("div", found.verdicts.map(side), {class: "sides"}),
    ...found.texts.flatMap(([name, text]) => [make("h3", [name]), marked(text, every, name)]),
  );
  place.hidden = false;
  for (const row of rows) {
    const link = row.cells[0].querySelector("a");
    row.classList.toggle("chosen", Boolean(link) && link.hash === "#case-" + at);
  }
  if (focus) { heading.focus({preventScroll: true}); place.scrollIntoView(); }
}

// Claim and evidence: pointing at one shows the other.
function show(event) {
  const from = event.target.closest("[data-groups]");
  for (const old of place.querySelectorAll(".hover")) old.classList.remove("hover");
  if (!from) return;
  const groups = new Set(from.dataset.groups.split("\n"));
  for (const one of place.querySelectorAll("[data-groups]")) {
    if (one.dataset.groups.split("\n").some((group) => groups.has(group))) one.classList.add("hover");
  }
}
place.addEventListener("pointerover", show);
place.addEventListener("focusin", show);

// ── permalinks: #case-3, #v-26529111c225f77a ──
function follow() {
  const hash = decodeURIComponent(location.hash);
  if (hash.startsWith("#case-")) return open(Number(hash.slice(6)), true);
  if (hash === "#cases") { place.hidden = true; place.replaceChildren(); opened = -1; return; }
  if (!hash.startsWith("#v-")) return;
  const there = document.getElementById(hash.slice(1));
  if (there) return there.scrollIntoView();
  const scripts = Array.from(document.querySelectorAll("script[type='application/json']"));
  const at = scripts.findIndex((one) => one.textContent.includes('"id":"' + hash.slice(3) + '"'));
  if (at >= 0) {
    open(at, true);
    document.getElementById(hash.slice(1))?.scrollIntoView();
  }
}
addEventListener("hashchange", follow);
follow();
