// Tables that the reader can sort by a header and copy as CSV.

function value(row, column) {
  const cell = row.cells[column];
  return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
}

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "number") return -1; // missing values come last
  if (typeof other === "number") return 1;
  return one.localeCompare(other, undefined, { numeric: true });
}

function sort(table, header) {
  const column = header.cellIndex;
  const up = header.getAttribute("aria-sort") === "descending" || (header.dataset.side === "left" && !header.hasAttribute("aria-sort"));
  for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", up ? "ascending" : "descending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((one, other) => (up ? 1 : -1) * compare(value(one, column), value(other, column)));
  table.tBodies[0].append(...rows);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // some browsers forbid this to pages from files
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** Add sorting and copying to the tables within an element. */
export function equip(root) {
  for (const table of root.querySelectorAll("table.data")) equipOne(table);
}

function equipOne(table) {
  for (const header of table.tHead.rows[0].cells) {
    if (header.textContent.trim() === "") continue;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = header.textContent;
    header.replaceChildren(button);
    button.addEventListener("click", () => sort(table, header));
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy as CSV";
  button.addEventListener("click", async () => {
    await copy(table.parentElement.nextElementSibling.content.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy as CSV"; }, 1500);
  });
  table.parentElement.nextElementSibling.after(button);
}

equip(document);
