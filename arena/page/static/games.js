// The list of games with its filters, and the replay of one game.
import { breakable, columnsOf, make } from "./board.js";
import { blunders, replay } from "./replay.js";
import "./tables.js";

const PAGE = 200;

function filtered(data, wanted) {
  const sides = (game) => [[game.a, game.b, game.r === "1-0" ? 1 : game.r === "0-1" ? 0 : 0.5], [game.b, game.a, game.r === "0-1" ? 1 : game.r === "1-0" ? 0 : 0.5]];
  const results = { win: 1, draw: 0.5, loss: 0 };
  return data.games.filter((game) => {
    const seen = wanted.agent === "" ? sides(game).slice(0, 1) : sides(game).filter(([agent]) => agent === Number(wanted.agent));
    return seen.some(([, opponent, points]) => {
      const met = wanted.opponent === "" || opponent === Number(wanted.opponent) || (wanted.agent === "" && game.a === Number(wanted.opponent));
      return met && (wanted.result === "" || points === results[wanted.result]);
    }) && (!wanted.faults || !["line completed", "board full"].includes(game.t))
      && (!wanted.blunders || blunders(game).length > 0)
      && game.m.startsWith(wanted.moves);
  });
}

function option(value, text) {
  return make("option", { value }, text);
}

function begin(data) {
  const root = document.getElementById("browser");
  const audited = data.games.some((game) => game.v);
  const faulty = data.games.some((game) => !["line completed", "board full"].includes(game.t));
  const everyone = data.agents.map((name, place) => option(place, name));
  const field = (label, control) => make("label", {}, label, control);
  const agent = make("select", { "aria-label": "Agent" }, option("", "any"), ...everyone);
  const opponent = make("select", { "aria-label": "Opponent" }, option("", "any"), ...everyone.map((each) => each.cloneNode(true)));
  const result = make("select", { "aria-label": "Result" }, option("", "any"), ...["win", "draw", "loss"].map((each) => option(each, each)));
  const moves = make("input", { type: "text", size: 8, placeholder: "4453", "aria-label": "Moves begin with" });
  const check = () => make("input", { type: "checkbox" });
  const [faults, lost] = [check(), check()];
  const filters = make("div", { class: "bar filters" }, field("Agent", agent), field("against", opponent), field("result", result),
    field("moves begin with", moves), faulty ? field("", faults) : null, audited ? field("", lost) : null);
  if (faulty) faults.after("only faults");
  if (audited) lost.after("only blunders");
  const count = make("p", { class: "faint", "aria-live": "polite" });
  const body = make("tbody", {});
  const more = make("button", { type: "button" }, "Show more");
  const heads = ["game", "first", "second", "result", "plies", "end"].concat(audited ? ["blunders"] : []);
  const list = make("div", { class: "list", tabindex: 0, role: "region", "aria-label": "List of games" },
    make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((each) => make("th", { class: ["first", "second", "end"].includes(each) ? "text" : null, scope: "col" }, each)))), body));
  const panel = make("div", { class: "replay card", tabindex: 0, role: "region", "aria-label": "Replay" });
  root.replaceChildren(filters, count, make("div", { class: "games" }, make("div", {}, list, more), panel));

  let [found, showing] = [[], 0];
  const show = (game, line, ply) => {
    for (const each of body.querySelectorAll("[aria-current]")) each.removeAttribute("aria-current");
    line?.setAttribute("aria-current", "true");
    replay(panel, data, game, ply);
  };
  const row = (game) => {
    const open = make("button", { type: "button", "aria-label": `Replay game ${game.g}` }, String(game.g));
    const cells = [make("td", {}, open), make("td", { class: "text who" }, breakable(data.agents[game.a])), make("td", { class: "text who" }, breakable(data.agents[game.b])),
      make("td", {}, game.r), make("td", {}, String(columnsOf(game.m).length)), make("td", { class: "text" }, game.t)];
    if (audited) cells.push(make("td", {}, game.v ? String(blunders(game).length) : "-"));
    const line = make("tr", {}, ...cells);
    line.addEventListener("click", () => show(game, line));
    return line;
  };
  const extend = () => {
    body.append(...found.slice(showing, showing + PAGE).map(row));
    showing = Math.min(showing + PAGE, found.length);
    more.hidden = showing >= found.length;
  };
  const filter = () => {
    const wanted = { agent: agent.value, opponent: opponent.value, result: result.value, moves: moves.value.trim(), faults: faults.checked, blunders: lost.checked };
    found = filtered(data, wanted);
    showing = 0;
    body.replaceChildren();
    extend();
    count.textContent = `${found.length.toLocaleString("en")} of ${data.games.length.toLocaleString("en")} games`;
  };
  for (const control of [agent, opponent, result, faults, lost]) control.addEventListener("change", filter);
  moves.addEventListener("input", filter);
  more.addEventListener("click", extend);
  filter();
  const worst = data.games.reduce((best, game) => (blunders(game).length > blunders(best).length ? game : best), data.games[0]);
  if (worst) show(worst, body.rows[found.indexOf(worst)]);
  const follow = () => { // a link to #game-12-9 replays game 12 at ply 9
    const [, number, ply] = /^#game-(\d+)-(\d+)$/.exec(location.hash) ?? [];
    const game = data.games.find((each) => each.g === Number(number));
    if (!game) return;
    show(game, body.rows[found.indexOf(game)], Number(ply));
    panel.scrollIntoView({ block: "center" });
    panel.focus({ preventScroll: true });
  };
  addEventListener("hashchange", follow);
  follow();
}

const source = document.getElementById("games-data");
if (source) begin(JSON.parse(source.textContent));
