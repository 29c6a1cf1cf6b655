// The terms of a leaf's heuristic, a table row for each kind of window.

import { make } from "./board.js";
import { worth } from "./search.js";

/** kinds: name, worth of each, count of MAX, count of MIN. value: their sum for MAX. */
export function termsOf(kinds, value) {
  const heads = ["counted", "MAX", "MIN", "each", "points"].map((head) => make("th", { scope: "col" }, head));
  const body = kinds.map(([name, each, mine, theirs]) =>
    make("tr", {}, ...[name, mine, theirs, worth(each), worth(each * (mine - theirs))].map((cell) =>
      make("td", {}, String(cell)))));
  body.forEach((row) => row.firstChild.classList.add("text"));
  const sum = make("tr", {}, make("th", { scope: "row", colspan: 4 }, "value for MAX"), make("td", {}, worth(value)));
  return [make("tr", {}, ...heads), ...body, sum];
}
