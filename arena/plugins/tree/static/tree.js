// The page of a search tree: outlines side by side, the selected node, and the search step by step.

import { boardSvg, breakable, make, open } from "./board.js";
import { listen } from "./keys.js";
import { Outline } from "./outline.js";
import { SearchTree, worth } from "./search.js";

const element = (id) => document.getElementById(id);
const LEAVES = { h: "leaf, valued by the heuristic", o: "game over", t: "taken from the table" };

class TreePage {
  constructor(documents) {
    this.trees = documents.map((each) => new SearchTree(each));
    this.outlines = this.trees.map((tree, number) =>
      new Outline(tree, this.trees[1 - number] ?? null, element(`outline-${number}`), element("hover"), (path) => this.go(path, number)));
    this.path = [];
    this.step = Infinity;
    this.cutAt = -1;
    this.timer = null;
    this.outlines.forEach((outline) => outline.openLine());
    this.controls();
    this.go([]);
  }

  get tree() {
    return this.trees[0];
  }

  /** Select the node at the end of a path, in each tree as far as the path goes. */
  go(path, from = null) {
    this.path = path;
    this.outlines.forEach((outline, number) => {
      if (number !== from) outline.select(outline.tree.find(path));
    });
    this.stage();
  }

  nodes() {
    return this.trees.map((tree) => {
      const node = tree.find(this.path);
      return tree.ply[node] === this.path.length ? node : null;
    });
  }

  /** Return the step at which a tree is shown; only the first tree has steps. */
  stepOf(tree) {
    return tree === this.tree ? this.step : Infinity;
  }

  stage() {
    const { tree, path } = this;
    const moves = [...tree.moves, ...path];
    const player = path.length % 2 ? "MIN" : "MAX";
    const crumb = (depth) => {
      const button = make("button", { type: "button", "aria-current": depth === path.length ? "location" : null },
        depth === 0 ? "root" : String(path[depth - 1] + 1));
      button.addEventListener("click", () => this.go(path.slice(0, depth)));
      return button;
    };
    element("crumbs").replaceChildren(...Array.from({ length: path.length + 1 }, (_, depth) => crumb(depth)));
    element("back").disabled = path.length === 0;
    element("board").replaceChildren(boardSvg(tree.rules, moves, { numbers: true }));
    const disc = moves.length % 2 ? "second player" : "first player";
    const over = open(tree.rules, moves).length === 0;
    element("turn").textContent = over ? "The game is over here." : `${player} to move, the ${disc}`;
    element("facts").replaceChildren(...this.facts());
    element("reasons").replaceChildren(...this.reasons());
    element("replies").replaceChildren(...this.replies(moves));
  }

  facts() {
    const nodes = this.nodes();
    const row = (head, text) => make("tr", {}, make("th", { class: "text", scope: "row" }, head),
      ...this.trees.map((tree, number) => make("td", {}, text(tree, nodes[number]))));
    const known = (text) => (tree, node) => (node === null || tree.pruned(node) ? "–" : text(tree, node));
    const heads = this.trees.map((tree) => make("th", { scope: "col" }, breakable(tree.agent)));
    return [
      make("tr", {}, make("td", {}), ...heads),
      row("value", (tree, node) => {
        if (node === null || tree.pruned(node)) return "PRUNED";
        return tree.visited[node] > this.stepOf(tree) ? "not yet visited" : worth(tree.valueAt(node, this.stepOf(tree)));
      }),
      row("window", known((tree, node) => tree.window(node))),
      row("visited", known((tree, node) => `#${tree.visited[node]}`)),
    ];
  }

  reasons() {
    const said = [];
    this.nodes().forEach((node, number) => {
      if (node === null) return;
      const tree = this.trees[number];
      const agent = this.trees.length > 1 ? `${tree.agent}: ` : "";
      const parent = tree.parent[node];
      if (tree.cut[node] && tree.end[node] <= this.stepOf(tree)) said.push([`${agent}cut. ${tree.cut[node]}.`, "reason"]);
      if (tree.pruned(node)) said.push([`${agent}PRUNED. ${tree.cut[parent]}.`, "reason"]);
      if (LEAVES[tree.leaf[node]]) said.push([`${agent}${LEAVES[tree.leaf[node]]}.`, "faint"]);
      if (tree.note[node]) said.push([`${agent}${tree.note[node]}.`, "faint"]);
    });
    return said.map(([text, kind]) => make("p", { class: kind }, text));
  }

  /** Return a button for each move of the selected position, with its value in each tree. */
  replies(moves) {
    return open(this.tree.rules, moves).map((column) => {
      const path = [...this.path, column];
      const text = this.trees.map((tree) => {
        const node = tree.find(path);
        if (tree.ply[node] !== path.length) return null;
        if (tree.pruned(node)) return "PRUNED";
        return tree.visited[node] > this.stepOf(tree) ? "…" : worth(tree.valueAt(node, this.stepOf(tree)));
      });
      if (text.every((each) => each === null)) return null;
      const best = this.trees.some((tree) => tree.onLine.has(tree.find(path)) && tree.find(path) > 0
        && tree.ply[tree.find(path)] === path.length);
      const kind = [best ? "line" : "", text[0] === "PRUNED" ? "pruned" : ""].join(" ").trim();
      const button = make("button", { type: "button", class: kind, "data-column": column },
        boardSvg(this.tree.rules, [...moves, column]), make("strong", {}, String(column + 1)),
        ...text.map((each) => make("div", {}, each ?? "–")));
      button.addEventListener("click", () => this.go(path));
      return button;
    }).filter(Boolean);
  }

  controls() {
    const last = this.tree.nodes;
    const at = () => Math.min(this.step, last);
    const on = (id, action) => element(id).addEventListener("click", () => {
      if (id !== "play") this.pause();
      action();
    });
    on("first", () => this.show(1));
    on("previous", () => this.show(Math.max(1, at() - 1)));
    on("next", () => this.show(this.step === Infinity ? 1 : Math.min(last, this.step + 1)));
    on("cut", () => this.nextCut());
    on("whole", () => this.show(Infinity));
    on("play", () => (this.timer === null ? this.play() : this.pause()));
    on("back", () => this.go(this.path.slice(0, -1)));
    on("fold", () => { this.outlines.forEach((outline) => outline.foldAll()); this.go([]); });
    on("line", () => { this.outlines.forEach((outline) => outline.openLine()); });
    element("slider").max = last;
    element("slider").addEventListener("input", (event) => { this.pause(); this.show(Number(event.target.value)); });
    element("cut").disabled = this.tree.cuts.length === 0;
    listen({ n: "next", p: "previous", c: "cut", b: "back", w: "whole" });
  }

  /** Show the first tree after `step` visits. */
  show(step, node = null) {
    this.step = step;
    if (node === null) this.cutAt = -1;
    const shown = node ?? this.tree.byVisit[step] ?? 0;
    this.outlines[0].showStep(step);
    this.outlines[0].select(shown);
    element("slider").value = Math.min(step, this.tree.nodes);
    const count = this.tree.nodes.toLocaleString("en");
    element("step").textContent = step === Infinity ? `all ${count} nodes` : `node ${step.toLocaleString("en")} of ${count}`;
    this.go(this.tree.path(shown), 0);
  }

  /** Go to the next cut-off of the search. */
  nextCut() {
    const { tree } = this;
    const step = this.step === Infinity ? 0 : this.step;
    let next = this.cutAt >= 0 ? this.cutAt + 1 : tree.cuts.findIndex((node) => tree.end[node] > step);
    if (next < 0 || next >= tree.cuts.length) next = 0;
    this.cutAt = next;
    this.show(tree.end[tree.cuts[next]], tree.cuts[next]);
  }

  play() {
    element("play").textContent = "Pause";
    if (this.step >= this.tree.nodes) this.show(1);
    const tick = () => {
      if (this.step >= this.tree.nodes) {
        this.pause();
        return;
      }
      this.show(this.step + 1);
      this.timer = setTimeout(tick, 1000 / Number(element("speed").value));
    };
    this.timer = setTimeout(tick, 1000 / Number(element("speed").value));
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    element("play").textContent = "Play";
  }
}

new TreePage(JSON.parse(element("trees").textContent));
