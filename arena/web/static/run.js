// A run's page: progress, the last games and the tables, kept up to date while the run is played.

import { boardSvg, make } from "./board.js";

const element = (id) => document.getElementById(id);
const address = element("state").dataset.run;

function columnsOf(moves) {
  return (moves.includes(",") ? moves.split(",") : [...moves]).map((word) => Number(word) - 1);
}

function gameRow(game) {
  const link = make("a", { href: `${address}/game/${game.game}` }, String(game.game));
  const cell = (text, kind = null) => make("td", { class: kind }, text);
  return make("tr", {}, make("td", {}, link), cell(game.first, "text"), cell(game.second, "text"), cell(game.result),
    cell(game.termination, "text"));
}

function showGame(rules, game) {
  if (game === undefined) return;
  element("last-text").textContent = `${game.first} against ${game.second}: ${game.result}, ${game.termination}`;
  element("last-board").replaceChildren(boardSvg(rules, columnsOf(game.moves)));
}

function showRun(state) {
  element("progress-text").textContent = `${state.played.toLocaleString("en")} of ${state.planned.toLocaleString("en")} games`
    + (state.done ? "" : ", being played or stopped");
  element("progress").max = state.planned;
  element("progress").value = state.played;
  element("games").replaceChildren(...state.games.map(gameRow));
  showGame(state.rules, state.games[0]);
}

function follow() {
  const source = new EventSource(`${address}/events`);
  source.addEventListener("message", (event) => {
    const now = JSON.parse(event.data);
    showRun(now);
    const parsed = new DOMParser().parseFromString(now.tables, "text/html");
    element("tables").replaceChildren(...parsed.body.childNodes);
    if (now.done) source.close();
  });
  window.addEventListener("pagehide", () => source.close());
}

showRun(JSON.parse(element("state").textContent));
follow();
