// Perfect play in a position: the exact score of each column, and a bar that shows the winner.

import { make } from "./board.js";
import { Question } from "./question.js";

const element = (id) => document.getElementById(id);
const signed = (score) => (score > 0 ? `+${score}` : String(score).replace("-", "−"));

export class Truth {
  constructor() {
    this.question = new Question("/api/truth");
  }

  hide() {
    this.question.cancel();
    for (const id of ["scores", "bar", "verdict"]) element(id).hidden = true;
  }

  /** Ask for the scores of the side to move, and show them. */
  async show(record) {
    const { rules } = record;
    const first = record.side === 0;
    this.hide();
    for (const id of ["scores", "bar", "verdict"]) element(id).hidden = false;
    element("scores").replaceChildren();
    element("verdict").textContent = "solving …";
    try {
      const answer = await this.question.ask(record.parts());
      const cells = answer.columns.map((score) =>
        make("span", { class: score === answer.score ? "best" : null }, score === null ? "" : signed(score)));
      element("scores").replaceChildren(...cells);
      const share = answer.score / (rules.columns * rules.rows / 2) * (first ? 1 : -1);
      element("bar-first").style.flexGrow = 1 + share;
      element("bar-second").style.flexGrow = 1 - share;
      const side = (answer.score > 0) === first ? "first" : "second";
      element("verdict").textContent = answer.score === 0 ? "A draw with perfect play."
        : `The ${side} player wins with perfect play. The score is the number of discs that the winner has left, plus one.`;
    } catch (error) {
      if (error.name !== "AbortError") element("verdict").textContent = error.message;
    }
  }
}
