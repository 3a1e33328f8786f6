"use strict";
// A filter over the cases; everything else works without a script.
const box = document.getElementById("filter");
const cases = Array.from(document.querySelectorAll("details.case"));
const count = document.getElementById("count");
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const one of cases) {
    const told = one.querySelector("summary").textContent.toLowerCase();
    const fits = words.every((word) => told.includes(word));
    one.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  count.textContent = shown + " shown";
});
