// The page of a run: progress, games in progress, last games and tables, updated while the run is played.

import { boardSvg, breakable, columnsOf, make } from "./board.js";
import { equip } from "./tables.js";

const element = (id) => document.getElementById(id);
const address = element("state").dataset.run;
const BOARDS = 4;

function gameRow(game) {
  const link = make("a", { href: `${address}/game/${game.game}` }, String(game.game));
  const cell = (text, kind = null) => make("td", { class: kind }, text);
  return make("tr", {}, make("td", {}, link), cell(breakable(game.first), "text"), cell(breakable(game.second), "text"),
    cell(game.result), cell(game.termination, "text"));
}

/** Return the board of a game with its players and a caption. */
function gameBoard(rules, game, said) {
  const player = (side) => make("span", { class: "player" }, make("span", { class: `disc ${side}` }), ` ${breakable(game[side])}`);
  return make("figure", {}, boardSvg(rules, columnsOf(game.moves)),
    make("figcaption", {}, player("first"), player("second"), make("span", { class: "faint" }, said)));
}

/** Show the games in progress or, if there are none, the last game. */
function showBoards({ rules, games, playing }) {
  const now = (playing ?? []).slice(0, BOARDS);
  element("boards-title").textContent = now.length ? "In progress" : "The last game";
  const boards = now.map((game) => {
    const ply = columnsOf(game.moves).length;
    return gameBoard(rules, game, `ply ${ply}${game.seconds >= 2 ? `, ${ply % 2 ? "second" : "first"} thinks for ${Math.round(game.seconds)}\u00a0s` : ""}`);
  });
  if (!boards.length && games.length) boards.push(gameBoard(rules, games[0], `${games[0].result}, ${games[0].termination}`));
  element("boards").replaceChildren(...boards);
}

function showRun(state) {
  const count = (number) => number.toLocaleString("en");
  const doing = state.done ? "" : state.playing === null ? ", not running" : ", running";
  element("progress-text").textContent = `${count(state.played)} of ${count(state.planned)} games${doing}`;
  element("progress").max = state.planned;
  element("progress").value = state.played;
  element("games").replaceChildren(...state.games.map(gameRow));
  showBoards(state);
  if (state.done && element("tables").previousElementSibling) document.querySelector("main").prepend(element("tables"));
}

function follow() {
  const source = new EventSource(`${address}/events`);
  source.addEventListener("message", (event) => {
    const now = JSON.parse(event.data);
    showRun(now);
    if (now.tables !== undefined) {
      const parsed = new DOMParser().parseFromString(now.tables, "text/html");
      element("tables").replaceChildren(...parsed.body.childNodes);
      equip(element("tables"));
    }
  });
  source.addEventListener("end", () => source.close());
  window.addEventListener("pagehide", () => source.close());
}

const state = JSON.parse(element("state").textContent);
showRun(state);
if (!state.done || element("tables").querySelector("table") === null) follow();
