// A game to play or to watch: discs by mouse, touch or the number keys, and what the agents think of it.

import { boardSvg, columnsOf, make, movesText, open, position, rulesOf, rulesText } from "./board.js";
import { Seat } from "./seats.js";

const element = (id) => document.getElementById(id);
const HINTS = "hard";
const STANDARD = "7x6x4";
const query = new URLSearchParams(location.search);

/** Ask the server; a new question ends the one before it. */
class Question {
  constructor(path) {
    this.path = path;
    this.controller = null;
  }

  cancel() {
    this.controller?.abort();
    this.controller = null;
  }

  async ask(body) {
    this.cancel();
    const controller = new AbortController();
    this.controller = controller;
    const answer = await fetch(this.path, { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body), signal: controller.signal });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.error);
    return told;
  }
}

class Game {
  constructor(agents) {
    const changed = () => { this.remember(); this.turn(); };
    this.seats = [
      new Seat("first", agents, query.get("first") ?? "you", changed),
      new Seat("second", agents, query.get("second") ?? "easy", changed),
    ];
    element("seats").append(...this.seats.map((seat) => seat.element));
    this.rules = rulesOf(query.get("board") ?? STANDARD);
    this.moves = columnsOf(query.get("moves") ?? "");
    this.thoughts = [];
    this.paused = false;
    this.hinted = null;
    this.seed = Math.floor(Math.random() * 2 ** 32);
    this.move = new Question("/api/move");
    this.hint = new Question("/api/move");
    this.truth = new Question("/api/truth");
    this.columns();
    this.controls();
    this.turn();
  }

  get over() {
    return open(this.rules, this.moves).length === 0;
  }

  get seat() {
    return this.seats[this.moves.length % 2];
  }

  get watching() {
    return !this.seats.some((seat) => seat.person);
  }

  columns() {
    const { columns } = this.rules;
    for (const id of ["columns", "scores"]) element(id).style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    element("columns").replaceChildren(...Array.from({ length: columns }, (_, column) => {
      const button = make("button", { type: "button", "aria-label": `Column ${column + 1}` });
      button.addEventListener("click", () => this.drop(column));
      return button;
    }));
  }

  /** A person's disc. */
  drop(column) {
    if (this.over || !this.seat.person || !open(this.rules, this.moves).includes(column)) return;
    this.add(column, null);
  }

  add(column, thought) {
    this.moves.push(column);
    const by = this.seats[(this.moves.length - 1) % 2].spec;
    this.thoughts.push({ ...thought, ply: this.moves.length, column, by });
    this.turn();
  }

  /** Show the position, and let an agent move where it is its turn. */
  turn() {
    this.move.cancel();
    this.hint.cancel();
    clearTimeout(this.timer);
    this.hinted = null;
    this.draw();
    this.tell();
    if (this.over || this.seat.person || (this.watching && this.paused)) return;
    const pause = this.watching ? 2000 / Number(element("speed").value) : 200;
    this.timer = setTimeout(() => this.think(), pause);
  }

  async think() {
    const { seat } = this;
    this.say(`${seat.spec} thinks …`);
    try {
      const made = await this.move.ask({ agent: seat.spec, ...this.question(), seed: this.seed });
      this.add(made.column - 1, made);
    } catch (error) {
      if (error.name !== "AbortError") this.say(`${seat.spec}: ${error.message}`);
    }
  }

  say(text) {
    element("status").textContent = text;
  }

  draw() {
    const { moves } = this;
    const legal = this.seat.person ? open(this.rules, moves) : [];
    element("board").replaceChildren(boardSvg(this.rules, moves, { numbers: true }));
    [...element("columns").children].forEach((button, column) => {
      button.disabled = !legal.includes(column);
      button.classList.toggle("hinted", this.hinted === column);
    });
    element("watching").hidden = !this.watching;
    element("undo").disabled = moves.length === 0;
    element("hint").disabled = this.over;
    element("tree").hidden = this.over;
    const agent = this.seats.map((seat) => seat.spec).find((spec) => /^(alphabeta|minimax|smart|moller|itu|oneil)/.test(spec));
    element("tree").href = `/tree?${new URLSearchParams({ ...this.question(), agent: agent ?? "smart-connect4", depth: 4 })}`;
    const discs = this.thoughts.map((each) => make("tr", {}, ...[
      [each.ply], [each.column + 1], [each.by, "text"], [each.score ?? ""], [each.depth || ""],
      [each.nodes?.toLocaleString("en") ?? ""], [each.seconds === undefined ? "" : (each.seconds * 1000).toFixed(1)],
      [each.pv?.join(" ") ?? "", "text"],
    ].map(([text, kind]) => make("td", { class: kind ?? null }, String(text)))));
    element("thoughts").replaceChildren(...discs.reverse());
    this.showTruth();
  }

  tell() {
    const { won } = position(this.rules, this.moves);
    const mover = this.moves.length % 2 ? "second" : "first";
    if (won.length) this.say(`The ${mover === "first" ? "second" : "first"} player has ${this.rules.connect === 4 ? "four" : this.rules.connect} in a row and wins.`);
    else if (this.over) this.say("The board is full: a draw.");
    else if (this.seat.person) this.say(`Your move, ${mover} player: a column, or the keys 1 to ${this.rules.columns}.`);
    else this.say(this.watching && this.paused ? "Paused." : `${this.seat.spec} is to move.`);
  }

  /** Show each column's exact score for the side to move, and who wins. */
  async showTruth() {
    const wanted = element("truth").checked && !this.over;
    for (const id of ["scores", "bar", "verdict"]) element(id).hidden = !wanted;
    this.truth.cancel();
    if (!wanted) return;
    element("scores").replaceChildren();
    element("verdict").textContent = "solving …";
    const first = this.moves.length % 2 === 0;
    try {
      const told = await this.truth.ask(this.question());
      const cells = told.columns.map((score) => make("span", { class: score === told.score ? "best" : null },
        score === null ? "" : score > 0 ? `+${score}` : String(score).replace("-", "−")));
      element("scores").replaceChildren(...cells);
      const share = told.score / (this.rules.columns * this.rules.rows / 2) * (first ? 1 : -1);
      element("bar-first").style.flexGrow = 1 + share;
      element("bar-second").style.flexGrow = 1 - share;
      const side = (told.score > 0) === first ? "first" : "second";
      element("verdict").textContent = told.score === 0 ? "With perfect play a draw."
        : `With perfect play the ${side} player wins. A score counts the discs that the winner has left, plus one.`;
    } catch (error) {
      if (error.name !== "AbortError") element("verdict").textContent = error.message;
    }
  }

  async ask() {
    this.say("looking for a hint …");
    try {
      const told = await this.hint.ask({ agent: HINTS, ...this.question(), seed: this.seed });
      this.hinted = told.column - 1;
      this.draw();
      this.say(`${HINTS} would play column ${told.column} (score ${told.score}).`);
    } catch (error) {
      if (error.name !== "AbortError") this.say(error.message);
    }
  }

  /** Take moves back, up to where a person is to move. */
  undo() {
    do {
      this.moves.pop();
      this.thoughts.pop();
    } while (this.moves.length && !this.watching && !this.seat.person);
    if (this.watching) this.pause(true);
    this.turn();
  }

  begin() {
    this.moves = [];
    this.thoughts = [];
    this.seed = Math.floor(Math.random() * 2 ** 32);
    this.turn();
  }

  /** Return what a question says of the position; of the board only where it is another one. */
  question() {
    const board = rulesText(this.rules);
    return { ...(board === STANDARD ? {} : { board }), moves: movesText(this.rules, this.moves) };
  }

  pause(wanted) {
    this.paused = wanted;
    element("pause").textContent = wanted ? "Go on" : "Pause";
  }

  address() {
    const parts = { ...this.question(), first: this.seats[0].spec, second: this.seats[1].spec };
    return `${location.origin}/play?${new URLSearchParams(parts)}`;
  }

  remember() {
    history.replaceState(null, "", this.address());
  }

  async copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(`${what} copied.`);
    } catch {
      this.say(text);
    }
  }

  controls() {
    const on = (id, action) => element(id).addEventListener("click", action);
    on("undo", () => this.undo());
    on("hint", () => this.ask());
    on("flip", () => {
      const mirrored = (column) => this.rules.columns - 1 - column;
      this.moves = this.moves.map(mirrored);
      this.thoughts = this.thoughts.map((each) => ({ ...each, column: mirrored(each.column), pv: each.pv?.map((number) => mirrored(number - 1) + 1) }));
      this.turn();
    });
    on("new", () => this.begin());
    on("swap", () => {
      const specs = this.seats.map((seat) => seat.spec);
      this.seats.forEach((seat, place) => seat.take(specs[1 - place]));
      this.remember();
      this.turn();
    });
    on("copy", () => this.copy(movesText(this.rules, this.moves), "The moves are"));
    on("link", () => { this.remember(); this.copy(this.address(), "The link is"); });
    on("pause", () => { this.pause(!this.paused); this.turn(); });
    on("step", () => { this.pause(true); if (!this.over) this.think(); });
    element("truth").addEventListener("change", () => this.showTruth());
    const boards = element("rules");
    const board = rulesText(this.rules);
    if (![...boards.options].some((each) => each.value === board)) boards.append(make("option", {}, board));
    boards.value = board;
    boards.addEventListener("change", () => {
      this.rules = rulesOf(boards.value);
      this.columns();
      this.begin();
      this.remember();
    });
    element("seats").addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input, select, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
      if (/^[1-9]$/.test(event.key)) this.drop(Number(event.key) - 1);
      const id = { u: "undo", h: "hint", f: "flip", n: "new" }[event.key];
      if (id) element(id).click();
    });
    window.addEventListener("pagehide", () => [this.move, this.hint, this.truth].forEach((question) => question.cancel()));
  }
}

new Game(JSON.parse(element("agents").textContent));
