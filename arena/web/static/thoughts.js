// What an agent thought of its disc, as a row of the table under the board.

import { breakable, make } from "./board.js";

export function row(thought) {
  const { ply, column, by, score, depth, nodes, seconds, pv } = thought;
  const cells = [
    [ply], [column + 1], [breakable(by), "text who"], [score ?? ""], [depth || ""], [nodes?.toLocaleString("en") ?? ""],
    [seconds === undefined ? "" : (seconds * 1000).toFixed(1)], [pv?.join(" ") ?? "", "text line"],
  ];
  return make("tr", {}, ...cells.map(([text, kind]) => make("td", { class: kind ?? null }, String(text))));
}
