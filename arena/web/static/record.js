// What has been played: a board's rules, the moves so far, and the search result of each.

import { columnsOf, movesText, open, rulesOf, rulesText } from "./board.js";

const STANDARD = "7x6x4";

export class Record {
  constructor(board, moves) {
    this.rules = rulesOf(board ?? STANDARD);
    this.moves = columnsOf(moves ?? "");
    this.thoughts = [];
  }

  /** The columns that can be played; none when the game is over. */
  get open() {
    return open(this.rules, this.moves);
  }

  get over() {
    return this.open.length === 0;
  }

  /** 0 where the first player is to move, 1 where the second is. */
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

  /** Return what a question or an address says of the position; of the board only where it is another one. */
  parts() {
    const board = rulesText(this.rules);
    return { ...(board === STANDARD ? {} : { board }), moves: movesText(this.rules, this.moves) };
  }
}
