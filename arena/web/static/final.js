// A game on a projector: it plays by itself, with names, clocks and, on demand, perfect play.

import { boardSvg, breakable, columnsOf, movesText, rulesText } from "./board.js";
import { listen } from "./keys.js";
import { Record } from "./record.js";
import { Truth } from "./truth.js";

const element = (id) => document.getElementById(id);
const { games, live, rules } = JSON.parse(element("state").textContent);
const REST = 8000; // milliseconds between two games
const LONG = 24; // characters of a name in small print
const WIDEST = 9;
const truth = new Truth();
let [at, ply, timer, paused] = [0, 0, null, false];
let now = null; // the game in progress, if any

/** Return seconds as a clock shows them. */
function clock(seconds) {
  if (seconds >= 60) return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  return seconds >= 1 ? `${seconds.toFixed(1)} s` : `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
}

function draw() {
  const game = now ?? games[at];
  if (game === undefined) return;
  const moves = game.moves.slice(0, ply);
  const over = ply === game.moves.length && now === null;
  element("board").replaceChildren(boardSvg(rules, moves, { numbers: true }));
  ["first", "second"].forEach((side, place) => {
    element(side).textContent = breakable(game[side]);
    element(side).classList.toggle("long", game[side].length > LONG);
    element(side).parentElement.classList.toggle("mover", !over && ply % 2 === place);
    const used = game.seconds.slice(0, now === null ? ply : ply + 1).filter((_, each) => each % 2 === place);
    element(`${side}-clock`).textContent = clock(used.reduce((sum, each) => sum + each, 0));
  });
  const which = now === null ? `Game ${game.game}, ply ${ply}` : `In progress, ply ${ply}`;
  element("said").textContent = `${which}: ${game.said?.[ply] ?? `${game[ply % 2 ? "second" : "first"]} thinks.`}`;
  element("said").classList.toggle("blunder", game.blunders?.includes(ply) ?? false);
  if (element("truth").checked && !over && rules.columns <= WIDEST) truth.show(new Record(rulesText(rules), movesText(rules, moves)));
  else truth.hide();
}

/** Show a position, and continue by itself from there. */
function go(to) {
  clearTimeout(timer);
  if (now === null) {
    ply = Math.max(0, Math.min(games[at].moves.length, to));
    const over = ply === games[at].moves.length;
    if (!paused && !(over && games.length === 1)) timer = setTimeout(over ? another : () => go(ply + 1), over ? REST : 3000 / Number(element("speed").value));
  }
  draw();
}

function another() {
  at = (at + 1) % games.length;
  go(games[at].opening);
}

/** Show the games in progress, one after the other, and then those of the final. */
function follow() {
  const source = new EventSource(`${element("state").dataset.run}/events`);
  source.addEventListener("message", (event) => {
    const playing = JSON.parse(event.data).playing ?? [];
    const found = playing.find((each) => each.first === now?.first && each.second === now?.second) ?? playing[0];
    const before = now;
    if (found !== undefined) {
      const moves = columnsOf(found.moves);
      const seconds = before?.first === found.first && before?.second === found.second && moves.length >= before.moves.length ? [...before.seconds] : [];
      seconds[moves.length] = found.seconds;
      now = { ...found, moves, seconds: Array.from({ length: moves.length + 1 }, (_, each) => seconds[each] ?? 0) };
      ply = moves.length;
      draw();
    } else if (games.length && before !== null) {
      now = null;
      another();
    }
  });
  source.addEventListener("end", () => { source.close(); location.reload(); });
  window.addEventListener("pagehide", () => source.close());
}

const actions = {
  pause: () => { paused = !paused; element("pause").textContent = paused ? "Continue" : "Pause"; go(ply); },
  back: () => { if (!paused) actions.pause(); go(ply - 1); },
  next: () => go(ply + 1),
  other: another,
  full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
};
for (const [id, action] of Object.entries(actions)) element(id).addEventListener("click", action);
element("other").hidden = games.length < 2;
element("truth").addEventListener("change", draw);
for (const id of ["truth", "speed"]) element(id).addEventListener("pointerup", (event) => event.target.blur()); // else they take the keys
listen({ p: "pause", ArrowLeft: "back", PageUp: "back", ArrowRight: "next", PageDown: "next", n: "other", t: "truth", f: "full" });
if (live) follow();
if (games.length) go(games[at].opening);
else element("said").textContent = "No game is finished yet.";
