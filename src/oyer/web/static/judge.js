// A pasted case: what it would cost first, then the verdict's own page.
import { send } from "./page.js";

const form = document.getElementById("judge");
const told = document.getElementById("told");
const trouble = form.querySelector("[role=alert]");
let agreed = ""; // what was agreed to pay for

function body() {
  const fields = {};
  for (const field of form.querySelectorAll("[data-field]")) fields[field.name] = field.value;
  return {
    protocol: form.dataset.protocol,
    fields,
    id: form.elements.id.value,
    candidate: form.elements.candidate.value,
    judge: form.elements.judge.value,
  };
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  const asked = body();
  button.disabled = true;
  trouble.textContent = "";
  try {
    const cost = await send("/api/estimate", asked);
    if (!cost.free && agreed !== JSON.stringify(asked)) {
      agreed = JSON.stringify(asked);
      const sum = cost.cost === null ? "an unknown sum" : `${cost.at_most ? "at most " : "about "}$${cost.cost.toFixed(4)}`;
      told.textContent = `${cost.calls} call, ${sum}. Press again to ask.`;
      return;
    }
    told.textContent = "judging …";
    const { verdict } = await send("/api/judge", asked);
    location.assign(`/verdicts/${verdict}`);
  } catch (error) {
    told.textContent = "";
    trouble.textContent = error.message;
  } finally {
    button.disabled = false;
  }
});
document.body.dataset.ready = "yes";
