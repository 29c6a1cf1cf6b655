// One game, move by move: the board, the mover's search, and the scores of both agents as a curve.
import { boardSvg, breakable, columnsOf, make } from "./board.js";

const WIN = 1000000;
const BOUND = 900000;
const VALUES = { 1: "win", 0: "draw", "-1": "loss" };

function words(score) {
  if (score === null) return "";
  if (Math.abs(score) > BOUND) return `score ${score > 0 ? "win" : "loss"} in ${WIN - Math.abs(score)}`;
  return `score ${score > 0 ? "+" : ""}${score}`;
}

/** Return the plies of a game's blunders. */
export function blunders(game) {
  const start = columnsOf(game.m).length - (game.s?.length ?? 0);
  return (game.v ?? []).flatMap((value, place) => (value !== null && game.w[place] < value ? [start + place] : []));
}

function thought(data, game, ply, start) {
  const place = ply - start;
  const name = data.agents[ply % 2 ? game.b : game.a];
  const column = columnsOf(game.m)[ply] + 1;
  if (place < 0) return [`opening: column ${column}`];
  const depth = game.p[place] ? `depth ${game.p[place]}` : "";
  const nodes = game.n[place] > 1 ? `${game.n[place].toLocaleString("en")} nodes` : "";
  const facts = [words(game.s[place]), depth, nodes, `${(game.u[place] / 1000).toPrecision(3)} ms`].filter(Boolean);
  const lines = [`${name} plays ${column}: ${facts.join(", ")}`];
  if (game.v && game.v[place] !== null) {
    const [value, after] = [game.v[place], game.w[place]];
    const kept = game.k?.[place] ? `; kept by ${game.k[place].replaceAll(" ", ", ")}` : "";
    lines.push(after < value ? `Blunder: a ${VALUES[value]} becomes a ${VALUES[after]}${kept}` : `keeps the ${VALUES[value]}`);
  }
  return lines;
}

/** Return a curve of each agent's scores from the first player's view, on a logarithmic scale of its own; a proven end is at the edge. */
function curve(game, start, ply, last, go) {
  const [width, height, left] = [220, 64, 32];
  const x = (at) => left + (at * (width - left - 4)) / Math.max(last, 1);
  const y = (share) => height / 2 - share * (height / 2 - 7);
  const svg = make("svg", { class: "curve", viewBox: `0 0 ${width} ${height + 8}`, role: "img", "aria-label": "Scores of both agents" });
  const shape = (name, attributes, ...children) => {
    const element = make(name, attributes, ...children);
    svg.append(element);
    return element;
  };
  shape("line", { class: "axis", x1: left, x2: width, y1: y(0), y2: y(0) });
  shape("text", { x: 0, y: 6 }, "1st ahead");
  shape("text", { x: 0, y: height + 1 }, "2nd ahead");
  shape("text", { x: width - 4, y: height + 7, "text-anchor": "end" }, `ply ${last}`);
  shape("line", { class: "now", x1: x(ply), x2: x(ply), y1: 2, y2: height - 2 });
  for (const side of [0, 1]) {
    const own = (game.s ?? []).map((score, place) => [start + place, score]).filter(([at, score]) => at % 2 === side && score !== null);
    const scale = Math.max(1, ...own.map(([, score]) => (Math.abs(score) > BOUND ? 0 : Math.log1p(Math.abs(score)))));
    const points = own.map(([at, score]) => {
      const share = Math.abs(score) > BOUND ? 1 : (0.85 * Math.log1p(Math.abs(score))) / scale;
      return [x(at), y(Math.sign(score) * share * (side ? -1 : 1)), at];
    });
    const name = side ? "by-second" : "by-first";
    shape("polyline", { class: name, points: points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(" ") });
    for (const [px, py, at] of points) {
      shape("circle", { class: `dot ${name}`, cx: px, cy: py, r: 1.9 }).addEventListener("click", () => go(at));
    }
  }
  for (const at of blunders(game)) {
    shape("path", { class: "mark", d: `M${x(at) - 2.6} ${height} h5.2 l-2.6 -5 z` }).addEventListener("click", () => go(at));
  }
  return svg;
}

/** Show a game in an element, from a ply or from the end of its opening; keys and buttons step through it. */
export function replay(panel, data, game, at) {
  const moves = columnsOf(game.m);
  const start = moves.length - (game.s?.length ?? 0);
  const lost = blunders(game);
  let ply = Math.min(at ?? start, moves.length);
  const go = (to) => {
    ply = Math.min(Math.max(to, 0), moves.length);
    draw();
  };
  const ways = [
    ["Start", "Start (Home)", () => 0],
    ["Back", "Back (left arrow)", () => ply - 1],
    ["Next", "Next (right arrow)", () => ply + 1],
    ["End", "End (End)", () => moves.length],
  ];
  if (lost.length) ways.push(["Next blunder", "Next blunder (x)", () => lost.find((each) => each > ply) ?? lost[0]]);
  const button = (text, label, to) => {
    const made = make("button", { type: "button", "aria-label": label, title: label }, text);
    made.addEventListener("click", () => go(to()));
    return made;
  };
  const controls = make("div", { class: "bar" }, ...ways.map((way) => button(...way)));
  const stage = make("div", {});
  const list = make("div", { class: "moves", role: "group", "aria-label": "Moves" });
  moves.forEach((column, place) => {
    const kind = lost.includes(place) ? "blunder" : place < start ? "opening" : null;
    const made = make("button", { type: "button", class: kind, title: `ply ${place}${kind ? `, ${kind}` : ""}` }, String(column + 1));
    made.addEventListener("click", () => go(place));
    list.append(made);
  });
  const draw = () => {
    const lines = ply < moves.length ? thought(data, game, ply, start) : [`${game.r}, ${game.t}${game.d ? `: ${game.d}` : ""}`];
    stage.replaceChildren(
      boardSvg(data.rules, moves.slice(0, ply), { numbers: true }),
      make("div", { class: "thought", "aria-live": "polite" }, `ply ${ply}: ${lines[0]}`,
        lines[1] ? make("div", { class: lines[1].startsWith("Blunder") ? "blunder" : null }, lines[1]) : null,
        ...(game.x?.[ply - start] ?? []).map((line) => make("div", {}, line))),
      curve(game, start, ply, moves.length, go),
    );
    [...list.children].forEach((each, place) => each.setAttribute("aria-current", place === ply));
  };
  panel.replaceChildren(
    make("h3", {}, `Game ${game.g}: ${game.r}`),
    make("p", { class: "players" }, make("span", { class: "first" }, breakable(data.agents[game.a])), make("span", { class: "second" }, breakable(data.agents[game.b]))),
    controls, stage, list,
  );
  panel.onkeydown = (event) => {
    const keys = { ArrowLeft: () => ply - 1, ArrowRight: () => ply + 1, Home: () => 0, End: () => moves.length };
    if (lost.length) keys.x = ways[4][2];
    if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey) {
      go(keys[event.key]());
      event.preventDefault();
    }
  };
  draw();
}
