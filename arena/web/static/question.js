// Questions to the server, each given up when the next one is asked.

/** Ask the server; a new question ends the one before it. */
export class Question {
  constructor(path) {
    this.path = path;
    this.controller = null;
  }

  cancel() {
    this.controller?.abort();
    this.controller = null;
  }

  async ask(body) {
    this.cancel();
    const controller = new AbortController();
    this.controller = controller;
    const answer = await fetch(this.path, { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body), signal: controller.signal });
    const result = await answer.json();
    if (!answer.ok) throw new Error(result.error);
    return result;
  }
}
