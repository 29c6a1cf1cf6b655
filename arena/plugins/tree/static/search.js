// A search tree as columns of numbers, one entry per node, in the order of visits; unvisited nodes come last among their
// siblings. arena/plugins/tree/tables.py writes it.

const PROVEN = 900000;
const WIN = 1000000;

/** Return a value, from MAX's view, in words. */
export function worth(value) {
  if (value === null) return "–";
  if (Math.abs(value) <= PROVEN) return String(value).replace("-", "−");
  return `${value > 0 ? "MAX" : "MIN"} wins in ${WIN - Math.abs(value)}`;
}

export class SearchTree {
  constructor(data) {
    Object.assign(this, data);
    const size = this.parent.length;
    this.children = Array.from({ length: size }, () => []);
    this.ply = new Array(size).fill(0);
    this.end = [...this.visited];
    for (let node = 1; node < size; node += 1) {
      this.children[this.parent[node]].push(node);
      this.ply[node] = this.ply[this.parent[node]] + 1;
    }
    for (let node = size - 1; node > 0; node -= 1) {
      this.end[this.parent[node]] = Math.max(this.end[this.parent[node]], this.end[node]);
    }
    this.byVisit = [];
    this.visited.forEach((visit, node) => {
      if (visit) this.byVisit[visit] = node;
    });
    this.onLine = new Set(this.line);
    const cuts = Object.keys(this.cut).map(Number);
    this.cuts = cuts.sort((one, other) => this.end[one] - this.end[other] || this.ply[other] - this.ply[one]);
  }

  player(node) {
    return this.ply[node] % 2 ? "MIN" : "MAX";
  }

  pruned(node) {
    return this.visited[node] === 0;
  }

  /** Return the columns from the root to a node. */
  path(node) {
    const columns = [];
    for (let at = node; at > 0; at = this.parent[at]) columns.unshift(this.column[at]);
    return columns;
  }

  /** Return the node at the end of a path, or the last node of the path that this tree has. */
  find(path) {
    let at = 0;
    for (const column of path) {
      const next = this.children[at].find((child) => this.column[child] === column);
      if (next === undefined) break;
      at = next;
    }
    return at;
  }

  /** Return whether the search visits the node at the end of a path. */
  visits(path) {
    const node = this.find(path);
    return this.ply[node] === path.length && !this.pruned(node);
  }

  /** Return a node's value after `step` visits: its own if it is finished, else the best of its children so far. */
  valueAt(node, step) {
    if (this.end[node] <= step) return this.value[node];
    const known = this.children[node].filter((child) => this.visited[child] && this.end[child] <= step);
    const values = known.map((child) => this.value[child]);
    if (values.length === 0) return null;
    return this.player(node) === "MAX" ? Math.max(...values) : Math.min(...values);
  }

  window(node) {
    const bound = (value, open) => (value === null ? open : worth(value));
    return `[${bound(this.alpha[node], "−∞")}, ${bound(this.beta[node], "+∞")}]`;
  }
}
