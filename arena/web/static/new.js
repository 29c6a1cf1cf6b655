// A new tournament: files to type or drop, the choice of agents and heuristics, and the start.

import { breakable, make } from "./board.js";
import { Question } from "./question.js";

const element = (id) => document.getElementById(id);
const [own, said] = [element("own"), element("own-said")];

/** Send a request and disable the form's buttons meanwhile; show errors in `status`. */
async function ask(path, body, form, status) {
  const buttons = [...form.querySelectorAll("button")];
  for (const each of buttons) each.disabled = true;
  status.className = "";
  status.textContent = "Working …";
  try {
    return await new Question(path).ask(body);
  } catch (error) {
    status.className = "wrong";
    status.textContent = error.message;
    return null;
  } finally {
    for (const each of buttons) each.disabled = false;
  }
}

/** List a stored agent or heuristic, and tick it. */
function offer(list, text) {
  const known = [...list.querySelectorAll("input")].find((each) => each.value === text);
  if (known) known.checked = true;
  else list.prepend(make("label", {}, make("input", { type: "checkbox", value: text, checked: "" }), make("span", {}, breakable(text))));
}

async function store(replace) {
  element("checked").replaceChildren();
  element("replace").hidden = true;
  const found = await ask("/api/file", { name: own.elements.name.value.trim(), text: own.elements.text.value, replace }, own, said);
  if (found === null) return;
  if (found.exists) {
    said.textContent = `${found.exists}.`;
    element("replace").hidden = false;
    return;
  }
  said.textContent = `Stored in ${found.file}.`;
  element("checked").replaceChildren(...found.checked.map(({ agent, ok, problems, positions }) =>
    make("li", { class: ok ? null : "wrong" }, `${breakable(agent)}: ${ok ? `ok on ${positions} positions` : "not ok"}${problems.length ? `; ${problems.join("; ")}` : ""}`)));
  for (const each of found.agents) offer(element("agents"), each);
  for (const each of found.heuristics) offer(element("heuristics"), each);
}

async function take(file) {
  if (file === undefined) return;
  own.elements.name.value = file.name;
  own.elements.text.value = await file.text();
  said.textContent = `${file.name} is loaded; press Store and check to keep it.`;
}

function ticked(list) {
  return [...list.querySelectorAll("input:checked")].map((each) => each.value);
}

function begins(form, words) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const begun = await ask("/api/run", { ...words(), rounds: Number(form.elements.rounds.value) }, form, form.nextElementSibling);
    if (begun !== null) location.href = begun.run;
  });
}

own.addEventListener("submit", (event) => { event.preventDefault(); store(false); });
element("replace").addEventListener("click", () => store(true));
element("file").addEventListener("change", () => take(element("file").files[0]));
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    own.classList.toggle("dropping", kind === "dragover");
    if (kind === "drop") take(event.dataTransfer.files[0]);
  });
}
begins(element("met"), () => {
  const more = element("met").elements.more.value.trim();
  return { agents: [...ticked(element("agents")), ...(more ? more.split(/\s+/) : [])] };
});
begins(element("compared"), () => ({ heuristics: ticked(element("heuristics")), depth: element("compared").elements.depth.value }));
