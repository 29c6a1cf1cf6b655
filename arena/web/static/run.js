// A run's page: progress, the last games and the tables, kept up to date while the run is played.

import { boardSvg, make } from "./board.js";

const element = (id) => document.getElementById(id);
const address = element("state").dataset.run;
const MOVE = 120;
let shown = null;
let timer = null;

function columnsOf(moves) {
  return (moves.includes(",") ? moves.split(",") : [...moves]).map((word) => Number(word) - 1);
}

function gameRow(game) {
  const link = make("a", { href: `${address}/game/${game.game}` }, String(game.game));
  const cell = (text, kind = null) => make("td", { class: kind }, text);
  return make("tr", {}, make("td", {}, link), cell(game.first, "text"), cell(game.second, "text"), cell(game.result),
    cell(game.termination, "text"));
}

/** Show how a game went: move by move while the run is played, else its end. */
function showGame(rules, game, moving) {
  if (game === undefined || game.game === shown) return;
  shown = game.game;
  clearTimeout(timer);
  element("last-text").textContent = `${game.first} against ${game.second}: ${game.result}, ${game.termination}`;
  const moves = columnsOf(game.moves);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || !moving;
  const show = (ply) => {
    element("last-board").replaceChildren(boardSvg(rules, moves.slice(0, ply)));
    if (ply < moves.length) timer = setTimeout(show, MOVE, ply + 1);
  };
  show(still ? moves.length : 1);
}

function showRun(state) {
  element("progress-text").textContent = `${state.played.toLocaleString("en")} of ${state.planned.toLocaleString("en")} games`
    + (state.done ? "" : ", being played or stopped");
  element("progress").max = state.planned;
  element("progress").value = state.played;
  element("games").replaceChildren(...state.games.map(gameRow));
  showGame(state.rules, state.games[0], !state.done);
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
