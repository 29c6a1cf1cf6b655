// The line above the board: who is to move, or how the game ended.

import { position } from "./board.js";

export function statusOf(record, seat, paused) {
  const { rules, moves, side, over } = record;
  const [mover, other] = side ? ["second", "first"] : ["first", "second"];
  if (position(rules, moves).won.length) {
    return `The ${other} player has ${rules.connect === 4 ? "four" : rules.connect} in a row and wins.`;
  }
  if (over) return "The board is full: a draw.";
  if (seat.person) return `Your move, ${mover} player: a column, or the keys 1 to ${rules.columns}.`;
  return paused ? "Paused." : `${seat.spec} is to move.`;
}
