// The game so far: the rules of its board, the moves, and the search of each.

import { columnsOf, movesText, open, rulesOf, rulesText } from "./board.js";

const STANDARD = "7x6x4";

export class Record {
  constructor(board, moves) {
    this.rules = rulesOf(board ?? STANDARD);
    this.moves = columnsOf(moves ?? "");
    this.thoughts = [];
  }

  /** The playable columns; none when the game is over. */
  get open() {
    return open(this.rules, this.moves);
  }

  get over() {
    return this.open.length === 0;
  }

  /** The side to move: 0 is the first player, 1 the second. */
  get side() {
    return this.moves.length % 2;
  }

  add(column, by, thought) {
    this.thoughts.push({ ...thought, ply: this.moves.length, column, by });
    this.moves.push(column);
  }

  takeBack() {
    this.moves.pop();
    this.thoughts.pop();
  }

  clear() {
    this.moves = [];
    this.thoughts = [];
  }

  mirror() {
    const mirrored = (column) => this.rules.columns - 1 - column;
    this.moves = this.moves.map(mirrored);
    this.thoughts = this.thoughts.map((each) => ({ ...each, column: mirrored(each.column),
      pv: each.pv?.map((number) => mirrored(number - 1) + 1) }));
  }

  /** Return the position for a request or an address; with the board only if it is not the standard one. */
  parts() {
    const board = rulesText(this.rules);
    return { ...(board === STANDARD ? {} : { board }), moves: movesText(this.rules, this.moves) };
  }
}
