// The line below the board: the side to move, or the result.

import { position } from "./board.js";

export function statusOf(record, seat, paused) {
  const { rules, moves, side, over } = record;
  const [mover, other] = side ? ["second", "first"] : ["first", "second"];
  const { fours, won } = position(rules, moves);
  if (rules.most_fours) {
    const [first, second] = fours.map((each) => each.length);
    const tally = `fours ${first} to ${second}`;
    if (!over) return `${toMove(record, seat, paused, mover)} So far ${tally}.`;
    return `The board is full, ${tally}: ${first === second ? "a draw" : `the ${first > second ? "first" : "second"} player wins`}.`;
  }
  if (won.length) {
    return `The ${other} player has ${rules.connect === 4 ? "four" : rules.connect} in a row and wins.`;
  }
  if (over) return "The board is full: a draw.";
  return toMove(record, seat, paused, mover);
}

function toMove({ rules }, seat, paused, mover) {
  if (seat.person) return `Your move, ${mover} player: a column, or the keys 1 to ${rules.columns}.`;
  return paused ? "Paused." : `${seat.spec} is to move.`;
}
