// The form of the players: for each side a person or an agent, with fields for the parameters in the registry.

import { breakable, make } from "./board.js";

const PERSON = "you";

export class Seat {
  constructor(name, agents, spec, changed) {
    this.agents = agents;
    this.changed = changed;
    this.choice = make("select", { name });
    const option = (value, text) => make("option", { value }, text);
    const group = (label, list) => make("optgroup", { label }, ...list.map((each) => option(each.name, each.name)));
    this.choice.append(option(PERSON, "a person"), ...(agents.some((each) => each.own) ? [group("Your own", agents.filter((each) => each.own))] : []),
      group("Levels", agents.filter((each) => each.level)), group("Agents", agents.filter((each) => !each.level && !each.own)));
    this.fields = make("div", { class: "fields" });
    this.summary = make("p", { class: "faint" });
    const disc = make("span", { class: `disc ${name}` });
    this.element = make("fieldset", {}, make("legend", {}, disc, ` ${name} player`),
      make("label", {}, "Player ", this.choice), this.summary, this.fields);
    this.take(spec);
    this.choice.addEventListener("change", () => { this.draw({}); changed(); });
    this.fields.addEventListener("change", changed);
  }

  /** Return the kind and the values of a spec such as "alphabeta:depth=4". */
  static parse(spec) {
    const [kind, rest = ""] = spec.split(/:(.*)/s);
    return [kind, Object.fromEntries(rest.split(/,(?![^(]*\))/).filter(Boolean).map((pair) => pair.split(/=(.*)/s)))];
  }

  /** Return whether the search of the agent has a tree to show. */
  get tree() {
    return this.agents.find((each) => each.name === this.choice.value)?.tree ?? false;
  }

  /** Fill in the form for a spec; an unknown name means a person. */
  take(spec) {
    const own = this.agents.some((each) => each.own && each.name === spec);
    const [kind, values] = own ? [spec, {}] : Seat.parse(spec);
    this.choice.value = kind;
    if (this.choice.value === "") this.choice.value = PERSON;
    this.draw(values);
  }

  draw(values) {
    const agent = this.agents.find((each) => each.name === this.choice.value);
    this.summary.textContent = agent === undefined ? "" : breakable([agent.summary, agent.source].filter(Boolean).join(". "));
    this.fields.replaceChildren(...(agent?.fields ?? []).map((field) => this.field(field, values[field.key])));
  }

  field({ key, default: standard, meaning, choices }, value) {
    let input;
    if (choices.length) {
      const words = value === undefined || choices.includes(value) ? choices : [...choices, value];
      input = make("select", { name: key, title: meaning }, ...words.map((each) => make("option", { value: each }, each)));
      input.value = value ?? standard ?? choices[0];
    } else {
      input = make("input", { type: "text", inputmode: "decimal", name: key, title: meaning, size: 7, autocomplete: "off",
        placeholder: standard ?? "–" });
      input.value = value ?? "";
    }
    input.dataset.standard = standard ?? "";
    return make("label", { title: meaning }, key, input);
  }

  get person() {
    return this.choice.value === PERSON;
  }

  /** Return the spec in the form, without fields at their default. */
  get spec() {
    if (this.person) return PERSON;
    const given = [...this.fields.querySelectorAll("input, select")].filter(
      (input) => input.value.trim() !== "" && input.value !== input.dataset.standard);
    const pairs = given.map((input) => `${input.name}=${input.value.trim()}`).join(",");
    return pairs ? `${this.choice.value}:${pairs}` : this.choice.value;
  }
}
