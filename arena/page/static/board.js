// The board as SVG, and its rules. Columns count from 0 in the scripts and from 1 on the page.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return {cells, last, fours, won}: the owner of each cell by column and row (0 or 1), the last cell, the fours of the
 * first and of the second player, and the cells of all fours.
 */
export function position(rules, moves) {
  const cells = Array.from({ length: rules.columns }, () => []);
  let last = null;
  moves.forEach((column, ply) => {
    cells[column].push(ply % 2);
    last = [column, cells[column].length - 1];
  });
  const fours = foursOf(rules, cells);
  return { cells, last, fours, won: [...new Map(fours.flat(2).map((cell) => [String(cell), cell])).values()] };
}

function foursOf(rules, cells) {
  const found = [[], []];
  cells.forEach((discs, column) => discs.forEach((owner, row) => {
    for (const [right, up] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      const four = Array.from({ length: rules.connect }, (_, step) => [column + step * right, row + step * up]);
      if (four.every(([c, r]) => cells[c]?.[r] === owner)) found[owner].push(four);
    }
  }));
  return found;
}

/** Return the playable columns. */
export function open(rules, moves) {
  const { cells, won } = position(rules, moves);
  if (won.length > 0 && !rules.most_fours) return [];
  return cells.flatMap((column, number) => (column.length < rules.rows ? [number] : []));
}

/** Return moves as text for the command line. */
export function movesText(rules, moves) {
  return moves.map((column) => column + 1).join(rules.columns > 9 ? "," : "");
}

/** Return the rules of a text such as "7x6", "7x6x4" or "7x6x4:most-fours". */
export function rulesOf(text) {
  const [size, variant] = text.split(":");
  const [columns, rows, connect = 4] = size.split("x").map(Number);
  return { columns, rows, connect, most_fours: variant === "most-fours" };
}

export function rulesText({ columns, rows, connect, most_fours }) {
  return `${columns}x${rows}x${connect}${most_fours ? ":most-fours" : ""}`;
}

/** Return the columns, from 0, of moves in the format of a run's file. */
export function columnsOf(text) {
  return (text.includes(",") ? text.split(",") : [...text]).filter((word) => word !== "").map((word) => Number(word) - 1);
}

/** Return a name with places to break the line. */
export function breakable(name) {
  return name.replace(/([:,=/])(?=\w)/g, "$1\u200b");
}

/** Return an element with attributes and children; text becomes text, never markup. */
export function make(name, attributes = {}, ...children) {
  const drawn = ["svg", "rect", "circle", "text", "line", "polyline", "path"].includes(name);
  const element = drawn ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Return the board after the moves; `numbers` writes the columns below it. */
export function boardSvg(rules, moves, { numbers = false } = {}) {
  const { cells, last, won } = position(rules, moves);
  const [width, height] = [rules.columns * 10, rules.rows * 10];
  const played = moves.length ? `after ${movesText(rules, moves)}` : "empty";
  const svg = make("svg", {
    class: "board", role: "img", viewBox: `0 0 ${width} ${height + (numbers ? 5 : 0)}`, "aria-label": `Board, ${played}`,
  });
  svg.append(make("rect", { class: "frame", width, height, rx: 3 }));
  for (let column = 0; column < rules.columns; column += 1) {
    for (let row = 0; row < rules.rows; row += 1) {
      const at = { cx: column * 10 + 5, cy: height - row * 10 - 5 };
      const owner = cells[column][row];
      svg.append(make("circle", { class: ["first", "second"][owner] ?? "hole", r: 4.1, ...at }));
      if (owner === 1) svg.append(make("circle", { class: "ring", r: 2.3, ...at }));
    }
    if (numbers) svg.append(make("text", { x: column * 10 + 5, y: height + 4 }, String(column + 1)));
  }
  const place = ([column, row]) => ({ cx: column * 10 + 5, cy: height - row * 10 - 5 });
  svg.append(...won.map((cell) => make("circle", { class: "won", r: 3.1, ...place(cell) })));
  if (last && (won.length === 0 || rules.most_fours)) svg.append(make("circle", { class: "last", r: 3.2, ...place(last) }));
  return svg;
}
