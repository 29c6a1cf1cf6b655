// What a leaf's heuristic counted, kind of window by kind, as rows of a table.

import { make } from "./board.js";
import { worth } from "./search.js";

/** kinds: the name, what each is worth, how many MAX has and how many MIN; value: their sum for MAX. */
export function termsOf(kinds, value) {
  const heads = ["counted", "MAX", "MIN", "each", "points"].map((head) => make("th", { scope: "col" }, head));
  const body = kinds.map(([name, each, mine, theirs]) =>
    make("tr", {}, ...[name, mine, theirs, worth(each), worth(each * (mine - theirs))].map((cell) =>
      make("td", {}, String(cell)))));
  body.forEach((row) => row.firstChild.classList.add("text"));
  const sum = make("tr", {}, make("th", { scope: "row", colspan: 4 }, "value for MAX"), make("td", {}, worth(value)));
  return [make("tr", {}, ...heads), ...body, sum];
}
