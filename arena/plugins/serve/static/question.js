// Requests to the server; a new one cancels the one before it.

/** Sends requests to one address; a new request cancels the one before it. */
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
