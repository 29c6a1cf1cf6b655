// A game to play or to watch: drop discs by mouse, touch or number keys; agents show their searches.

import { boardSvg, breakable, make, movesText, rulesOf, rulesText } from "./board.js";
import { listen } from "./keys.js";
import { Question } from "./question.js";
import { Record } from "./record.js";
import { Seat } from "./seats.js";
import { statusOf } from "./status.js";
import { Truth } from "./truth.js";

const element = (id) => document.getElementById(id);
const HINTS = "hard";
const query = new URLSearchParams(location.search);

class Game {
  constructor(agents) {
    const changed = () => { this.remember(); this.turn(); };
    this.seats = [
      new Seat("first", agents, query.get("first") ?? "you", changed),
      new Seat("second", agents, query.get("second") ?? agents.find((each) => each.own)?.name ?? "easy", changed),
    ];
    element("seats").append(...this.seats.map((seat) => seat.element));
    this.record = new Record(query.get("board"), query.get("moves"));
    this.paused = false;
    this.hinted = null;
    this.seed = Math.floor(Math.random() * 2 ** 32);
    this.move = new Question("/api/move");
    this.hint = new Question("/api/move");
    this.reason = new Question("/api/explain");
    this.truth = new Truth();
    this.columns();
    this.controls();
    this.turn();
  }

  get seat() {
    return this.seats[this.record.side];
  }

  get watching() {
    return !this.seats.some((seat) => seat.person);
  }

  columns() {
    const { columns } = this.record.rules;
    for (const id of ["columns", "scores"]) element(id).style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    element("columns").replaceChildren(...Array.from({ length: columns }, (_, column) => {
      const button = make("button", { type: "button", "aria-label": `Column ${column + 1}` });
      button.addEventListener("click", () => this.drop(column));
      return button;
    }));
  }

  /** Drop a person's disc. */
  drop(column) {
    if (this.seat.person && this.record.open.includes(column)) this.add(column, null);
  }

  add(column, thought) {
    this.record.add(column, this.seat.spec, thought);
    this.turn();
  }

  /** Show the position, and let an agent move if it is to move. */
  turn() {
    this.move.cancel();
    this.hint.cancel();
    this.reason.cancel();
    element("reason").hidden = true;
    clearTimeout(this.timer);
    this.hinted = null;
    this.draw();
    this.say(statusOf(this.record, this.seat, this.watching && this.paused));
    if (this.record.over || this.seat.person || (this.watching && this.paused)) return;
    const pause = this.watching ? 2000 / Number(element("speed").value) : 200;
    this.timer = setTimeout(() => this.think(), pause);
  }

  async think() {
    const { seat } = this;
    this.say(`${seat.spec} thinks …`);
    try {
      const made = await this.move.ask({ agent: seat.spec, ...this.record.parts(), seed: this.seed });
      this.add(made.column - 1, made);
    } catch (error) {
      if (error.name !== "AbortError") this.say(error.message.includes(seat.spec) ? error.message : `${seat.spec}: ${error.message}`);
    }
  }

  say(text) {
    element("status").textContent = text;
  }

  draw() {
    const { rules, moves, open, over, thoughts } = this.record;
    const legal = this.seat.person ? open : [];
    element("board").replaceChildren(boardSvg(rules, moves, { numbers: true }));
    [...element("columns").children].forEach((button, column) => {
      button.disabled = !legal.includes(column);
      button.classList.toggle("hinted", this.hinted === column);
    });
    element("watching").hidden = !this.watching;
    element("undo").disabled = moves.length === 0;
    element("hint").disabled = over;
    const searcher = this.seats.find((seat) => seat.tree);
    for (const link of document.querySelectorAll("a.route")) {
      link.hidden = over || searcher === undefined;
      if (searcher) link.search = new URLSearchParams({ ...this.record.parts(), agent: searcher.spec, depth: 4 });
    }
    element("thoughts").replaceChildren(...thoughts.map(row).reverse());
    this.showTruth();
  }

  showTruth() {
    this.truth[element("truth").checked && !this.record.over ? "show" : "hide"](this.record);
  }

  async ask() {
    this.say("looking for a hint …");
    try {
      const answer = await this.hint.ask({ agent: HINTS, ...this.record.parts(), seed: this.seed });
      this.hinted = answer.column - 1;
      this.draw();
      this.say(`${HINTS} would play column ${answer.column} (score ${answer.score}).`);
      const { lines } = await this.reason.ask(this.record.parts()); // how to punish the last move if it was a blunder
      element("reason").hidden = lines.length === 0;
      element("reason").textContent = lines.join("\n");
    } catch (error) {
      if (error.name !== "AbortError") this.say(error.message);
    }
  }

  /** Take moves back until a person is to move. */
  undo() {
    do this.record.takeBack(); while (this.record.moves.length && !this.watching && !this.seat.person);
    if (this.watching) this.pause(true);
    this.turn();
  }

  begin() {
    this.record.clear();
    this.seed = Math.floor(Math.random() * 2 ** 32);
    this.turn();
  }

  pause(wanted) {
    this.paused = wanted;
    element("pause").textContent = wanted ? "Continue" : "Pause";
  }

  address() {
    const parts = { ...this.record.parts(), first: this.seats[0].spec, second: this.seats[1].spec };
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

  /** List the boards, including the current one. */
  chooser() {
    const boards = element("rules");
    const board = rulesText(this.record.rules);
    if (![...boards.options].some((each) => each.value === board)) boards.append(make("option", {}, board));
    boards.value = board;
    boards.addEventListener("change", () => {
      this.record.rules = rulesOf(boards.value);
      this.columns();
      this.begin();
      this.remember();
    });
  }

  controls() {
    const on = (id, action) => element(id).addEventListener("click", action);
    on("undo", () => this.undo());
    on("hint", () => this.ask());
    on("flip", () => { this.record.mirror(); this.turn(); });
    on("new", () => this.begin());
    on("swap", () => {
      const specs = this.seats.map((seat) => seat.spec);
      this.seats.forEach((seat, place) => seat.take(specs[1 - place]));
      this.remember();
      this.turn();
    });
    on("copy", () => this.copy(movesText(this.record.rules, this.record.moves), "The moves are"));
    on("link", () => { this.remember(); this.copy(this.address(), "The link is"); });
    on("pause", () => { this.pause(!this.paused); this.turn(); });
    on("step", () => { this.pause(true); if (!this.record.over) this.think(); });
    element("truth").addEventListener("change", () => this.showTruth());
    this.chooser();
    element("seats").addEventListener("submit", (event) => event.preventDefault());
    listen({ u: "undo", h: "hint", f: "flip", n: "new" }, (key) => { if (/^[1-9]$/.test(key)) this.drop(Number(key) - 1); });
    window.addEventListener("pagehide", () => [this.move, this.hint, this.reason, this.truth.question].forEach((question) => question.cancel()));
  }
}

/** Return a table row for a move and its search. */
function row({ ply, column, by, score, depth, nodes, seconds, pv }) {
  const person = seconds === undefined;
  const results = person ? [[""], [""], [""], [""]]
    : [[score || "-"], [depth || "-"], [nodes ? nodes.toLocaleString("en") : "-"], [(seconds * 1000).toFixed(1)]];
  const cells = [
    [ply], [column + 1], [breakable(by), "text who"], ...results, [pv?.join(" ") ?? "", "text line"],
  ];
  return make("tr", {}, ...cells.map(([text, kind]) => make("td", { class: kind ?? null }, String(text))));
}

new Game(JSON.parse(element("agents").textContent));
