// Drawing a sample; the reviewer's name, remembered by this browser.
import { send } from "./page.js";

const draw = document.getElementById("draw");
draw?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(draw);
  try {
    const { queue } = await send("/api/draw", {
      run: Number(form.get("run")),
      n: Number(form.get("n")),
      mode: form.get("mode"),
      second: Number(form.get("second")),
      by_candidate: form.has("by_candidate"),
      by_score: form.has("by_score"),
    });
    location.assign(`/review/${queue}`);
  } catch (error) {
    draw.querySelector("[role=alert]").textContent = error.message;
  }
});

const who = document.getElementById("who");
if (who) {
  who.as.value = localStorage.getItem("oyer-reviewer") ?? "";
  who.addEventListener("submit", () => localStorage.setItem("oyer-reviewer", who.as.value));
}
