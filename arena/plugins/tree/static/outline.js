// A search tree as an outline, drawn as it is opened; mouse and arrow keys walk through it.

import { boardSvg, make } from "./board.js";
import { worth } from "./search.js";

export class Outline {
  /** Draw `tree` into `place`, mark the nodes that `beside` never visits, and call `onSelect(path)` for a selected node. */
  constructor(tree, beside, place, hover, onSelect) {
    this.tree = tree;
    this.beside = beside;
    this.hover = hover;
    this.onSelect = onSelect;
    this.items = new Map();
    this.opened = new Set();
    this.selected = 0;
    this.step = Infinity;
    this.list = make("ul", { role: "tree", "aria-label": `Nodes of ${tree.agent}` });
    place.replaceChildren(this.list);
    this.list.append(this.draw(0));
    this.listen();
  }

  draw(node) {
    const { tree } = this;
    const folds = tree.children[node].length > 0;
    const row = make("div", { class: "row" });
    const missing = this.beside !== null && !tree.pruned(node) && !this.beside.visits(tree.path(node));
    const kinds = { line: tree.onLine.has(node), pruned: tree.pruned(node), missing };
    const kind = Object.keys(kinds).filter((each) => kinds[each]).join(" ");
    const item = make(
      "li",
      { role: "treeitem", class: kind, tabindex: node === this.selected ? 0 : -1, "aria-selected": node === this.selected,
        "aria-expanded": folds ? "false" : null, "data-node": node },
      row,
    );
    this.items.set(node, item);
    this.write(node);
    return item;
  }

  /** Write the row of a drawn node after `step` visits. */
  write(node) {
    const { tree, step } = this;
    const item = this.items.get(node);
    const part = (kind, text) => make("span", { class: kind }, text);
    const future = tree.pruned(node) ? tree.end[tree.parent[node]] > step : tree.visited[node] > step;
    item.classList.toggle("future", future);
    item.classList.toggle("now", tree.visited[node] === step);
    const parts = [part("move", node === 0 ? "root" : String(tree.column[node] + 1))];
    if (tree.pruned(node)) {
      parts.push(part("mark", future ? "" : "PRUNED"));
    } else {
      const kind = { h: "leaf", o: "over", t: "table" }[tree.leaf[node]] ?? tree.player(node);
      parts.push(part("side", kind), part("value", future ? "" : worth(tree.valueAt(node, step))));
      if (tree.cut[node] && tree.end[node] <= step) parts.push(part("mark", "✂ cut"));
      if (item.classList.contains("missing")) parts.push(part("order", `not in ${this.beside.agent}`));
      parts.push(part("window", tree.window(node)), part("order", `#${tree.visited[node]}`));
    }
    item.firstChild.replaceChildren(...parts);
  }

  open(node, wanted = true) {
    const item = this.items.get(node);
    if (this.tree.children[node].length === 0 || this.opened.has(node) === wanted) return;
    item.setAttribute("aria-expanded", wanted);
    if (wanted) {
      this.opened.add(node);
      item.append(make("ul", { role: "group" }, ...this.tree.children[node].map((child) => this.draw(child))));
      return;
    }
    this.opened.delete(node);
    for (const child of this.tree.children[node]) this.forget(child);
    item.lastChild.remove();
  }

  forget(node) {
    if (this.opened.delete(node)) this.tree.children[node].forEach((child) => this.forget(child));
    this.items.delete(node);
  }

  /** Open the path to a node, mark the node and scroll to it. */
  select(node, { focus = false } = {}) {
    let way = [];
    for (let at = this.tree.parent[node]; node > 0 && at >= 0; at = at > 0 ? this.tree.parent[at] : -1) way.unshift(at);
    for (const at of way) this.open(at);
    const before = this.items.get(this.selected);
    before?.setAttribute("aria-selected", "false");
    before?.setAttribute("tabindex", "-1");
    this.selected = node;
    const item = this.items.get(node);
    item.setAttribute("aria-selected", "true");
    item.setAttribute("tabindex", "0");
    if (focus) item.focus({ preventScroll: true });
    this.scrollTo(item.firstChild);
  }

  scrollTo(row) {
    const box = this.list.parentElement;
    const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 8;
    else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
  }

  /** Show the tree after `step` visits, with the path to that node open and all others folded. */
  showStep(step) {
    this.step = step;
    if (step < Infinity) {
      const way = new Set();
      for (let at = this.tree.byVisit[step]; at > 0; at = this.tree.parent[at]) way.add(this.tree.parent[at]);
      for (const node of [...this.opened]) if (!way.has(node) && this.opened.has(node)) this.open(node, false);
    }
    for (const node of this.items.keys()) this.write(node);
  }

  foldAll() {
    this.open(0, false);
    this.select(0);
  }

  /** Open the principal variation. */
  openLine() {
    for (const node of this.tree.line) this.open(node);
  }

  listen() {
    const nodeOf = (event) => {
      const item = event.target.closest("[role=treeitem]");
      return item ? Number(item.dataset.node) : null;
    };
    this.list.addEventListener("click", (event) => {
      const node = nodeOf(event);
      if (node === null) return;
      if (node === this.selected || !this.opened.has(node)) this.open(node, !this.opened.has(node));
      this.choose(node);
    });
    this.list.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const to = this.after(event.key);
      if (to === null) return;
      event.preventDefault();
      this.choose(to);
    });
    const show = (event) => {
      const node = nodeOf(event);
      if (node !== null) this.peek(node);
    };
    this.list.addEventListener("mouseover", show);
    this.list.addEventListener("focusin", show);
    this.list.addEventListener("mouseleave", () => { this.hover.hidden = true; });
    this.list.addEventListener("focusout", () => { this.hover.hidden = true; });
  }

  /** Return the node to which a key leads, opening or folding as needed; null for other keys. */
  after(key) {
    const node = this.selected;
    const drawn = [...this.list.querySelectorAll("[role=treeitem]")].map((item) => Number(item.dataset.node));
    const at = drawn.indexOf(node);
    if (key === "ArrowDown") return drawn[Math.min(at + 1, drawn.length - 1)];
    if (key === "ArrowUp") return drawn[Math.max(at - 1, 0)];
    if (key === "Home") return 0;
    if (key === "End") return drawn.at(-1);
    if (key === "Enter" || key === " ") {
      this.open(node, !this.opened.has(node));
      return node;
    }
    if (key === "ArrowRight") {
      if (this.opened.has(node)) return this.tree.children[node][0];
      this.open(node);
      return node;
    }
    if (key === "ArrowLeft") {
      if (!this.opened.has(node)) return Math.max(this.tree.parent[node], 0);
      this.open(node, false);
      return node;
    }
    return null;
  }

  choose(node) {
    this.select(node, { focus: true });
    this.onSelect(this.tree.path(node));
  }

  /** Show a node's board beside its row. */
  peek(node) {
    const { tree, hover } = this;
    const row = this.items.get(node).firstChild.getBoundingClientRect();
    hover.replaceChildren(boardSvg(tree.rules, [...tree.moves, ...tree.path(node)]));
    hover.hidden = false;
    const below = row.bottom + hover.offsetHeight + 8 < window.innerHeight;
    hover.style.top = `${below ? row.bottom + 4 : Math.max(4, row.top - hover.offsetHeight - 4)}px`;
    hover.style.left = `${Math.max(4, Math.min(row.left + 180, window.innerWidth - hover.offsetWidth - 12))}px`;
  }
}
