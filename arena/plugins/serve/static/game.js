// A stored game: the board at each ply, the scores of both agents as a chart, and the blunders.

import { boardSvg, make, movesText, rulesText } from "./board.js";
import { Question } from "./question.js";

const element = (id) => document.getElementById(id);
const game = JSON.parse(element("state").textContent);
const rows = [...document.querySelectorAll("#moves tbody tr")];
const CEILING = 60;
const WIDEST = 9; // columns of the widest board that pages can play on
let ply = game.moves.length;

/** Return the mover's score as a height in the chart, from -1 to 1; 1 is best for the first player. */
function height(score, at) {
  const first = at % 2 ? -score : score;
  return Math.max(-1, Math.min(1, Math.atan(first / CEILING) / (Math.PI / 2)));
}

function curve() {
  const width = Math.max(1, game.moves.length);
  const svg = make("svg", { class: "bars", viewBox: `0 0 ${width * 10} 60`, role: "img", preserveAspectRatio: "none",
    "aria-label": "The agents' scores by ply; higher is better for the first player" });
  svg.append(make("rect", { class: "zero", x: 0, y: 29.8, width: width * 10, height: 0.4 }));
  game.scores.forEach((score, at) => {
    if (score === null) return;
    const top = 30 - 28 * height(score, at);
    svg.append(make("rect", { class: at % 2 ? "second" : "first", x: at * 10 + 1.5, width: 7,
      y: Math.min(30, top), height: Math.max(0.8, Math.abs(30 - top)) }));
    if (game.blunders.includes(at)) svg.append(make("rect", { class: "blunder", x: at * 10 + 2.5, y: 0, width: 5, height: 5 }));
  });
  svg.append(make("rect", { id: "cursor", class: "cursor", y: 0, width: 10, height: 60, x: -10 }));
  return svg;
}

/** Scroll the list, and not the page, to the row of the ply. */
function follow(row) {
  const list = document.querySelector(".movelist");
  const [shown, whole] = [row?.getBoundingClientRect(), list.getBoundingClientRect()];
  if (row === undefined) list.scrollTop = 0;
  else if (shown.top < whole.top + shown.height || shown.bottom > whole.bottom) {
    list.scrollTop += shown.top - whole.top - whole.height / 2;
  }
}

const question = new Question("/api/explain");

/** Show why the next move lost value. */
async function explain() {
  const reason = element("reason");
  reason.hidden = false;
  reason.textContent = "looking for a reason …";
  try {
    const moves = movesText(game.rules, game.moves.slice(0, ply + 1));
    const answer = await question.ask({ board: rulesText(game.rules), moves, score: game.scores[ply], depth: game.depths[ply] });
    reason.textContent = answer.lines.join("\n") || "This move kept the value of the position.";
  } catch (error) {
    if (error.name !== "AbortError") reason.textContent = error.message;
  }
}

function show(wanted) {
  question.cancel();
  element("reason").hidden = true;
  ply = Math.max(0, Math.min(game.moves.length, wanted));
  const moves = game.moves.slice(0, ply);
  element("board").replaceChildren(boardSvg(game.rules, moves, { numbers: true }));
  element("ply").value = ply;
  element("turn").textContent = `Ply ${ply}: ${game.said[ply]}`;
  rows.forEach((row, at) => row.classList.toggle("now", at === ply));
  follow(rows[ply] ?? rows[ply - 1]);
  document.getElementById("cursor").setAttribute("x", ply * 10);
  for (const link of [element("play"), ...document.querySelectorAll("a.route")]) {
    link.hidden = game.rules.columns > WIDEST || ply === game.moves.length;
    link.href = `${link.pathname}?board=${rulesText(game.rules)}&moves=${movesText(game.rules, moves)}`;
  }
  element("previous").disabled = ply === 0;
  element("next").disabled = element("why").disabled = ply === game.moves.length;
}

element("curve").prepend(curve());
element("curve").hidden = game.scores.every((score) => score === null);
element("ply").max = game.moves.length;
element("blunder").hidden = game.blunders.length === 0;
const actions = {
  first: () => show(0),
  previous: () => show(ply - 1),
  next: () => show(ply + 1),
  last: () => show(game.moves.length),
  why: explain,
  blunder: () => { if (game.blunders.length) show((game.blunders.find((at) => at > ply) ?? game.blunders[0])); },
};
for (const [id, action] of Object.entries(actions)) element(id).addEventListener("click", action);
element("ply").addEventListener("input", (event) => show(Number(event.target.value)));
rows.forEach((row) => row.addEventListener("click", () => show(Number(row.dataset.ply))));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, .scroll") || event.ctrlKey || event.altKey || event.metaKey) return;
  const key = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", x: "blunder", w: "why" }[event.key];
  if (key) {
    event.preventDefault();
    actions[key]();
  }
});
show(game.blunders.length ? game.blunders[0] : game.opening);
