// Progress of runs as it is kept, also by other processes: server-sent events.
import { send } from "./page.js";

const places = new Map();
for (const place of document.querySelectorAll("[data-run]")) places.set(Number(place.dataset.run), place);

function fill(place, name, text) {
  const found = place.querySelector(`[data-live="${name}"]`);
  if (found && found.textContent !== text) found.textContent = text;
}

function clock(seconds) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes % 60)}:${two(Math.floor(seconds % 60))}` : `${minutes}:${two(Math.floor(seconds % 60))}`;
}

function money(cost) {
  if (cost === null) return "unknown";
  return cost >= 1 || cost === 0 ? `$${cost.toFixed(2)}` : `$${cost.toFixed(4)}`;
}

function show(run) {
  const place = places.get(run.run);
  if (!place) {
    if (location.pathname === "/" && !location.search) reload(); // a run that is new to this list
    return;
  }
  const before = place.querySelector('[data-live="state"]')?.textContent;
  fill(place, "state", run.state);
  const state = place.querySelector('[data-live="state"]');
  if (state) state.className = `state s-${run.state}`;
  fill(place, "verdicts", run.verdicts.toLocaleString("en"));
  fill(place, "unscored", run.unscored.toLocaleString("en"));
  fill(place, "cost", money(run.cost));
  const rate = run.rate ? ` · ${run.rate.toFixed(run.rate < 10 ? 1 : 0)}/s` : "";
  const left = run.seconds_left !== null ? ` · ${clock(run.seconds_left)} left` : "";
  fill(place, "rate", `${rate}${left}`);
  const far = place.querySelector(".bar .far");
  if (far) far.setAttribute("width", String(Math.min(100, (run.verdicts / Math.max(1, run.tasks)) * 100)));
  if (before && before.trim() !== run.state) reload(); // other buttons, and standings that are final
}

let waiting = null;
function reload() {
  waiting ??= setTimeout(() => location.reload(), 400);
}

const source = new EventSource("/api/live");
source.addEventListener("run", (event) => show(JSON.parse(event.data)));
document.body.dataset.live = "on";

if (document.querySelector("[data-reload]")) setTimeout(() => location.reload(), 2000);

// Stop, or go on: in whatever process the run is.
for (const button of document.querySelectorAll("[data-act]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await send(button.dataset.act, { run: Number(button.dataset.number) });
    } catch (error) {
      button.disabled = false;
      button.parentElement.querySelector("[role=alert]").textContent = error.message;
    }
  });
}
