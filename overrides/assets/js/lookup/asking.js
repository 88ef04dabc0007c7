// Asks the worker; of several questions in a row only the last is answered.

const SLOW = 400;

export class Asking {
  #worker = null;
  #asked = 0; // the number of the last question, or of what made it void
  #posted = 0; // of the last that the worker got
  #answered = 0;
  #began = 0;
  #onAnswer;

  // `onAnswer` is given {answers} or {failed}.
  constructor(onAnswer) {
    this.#onAnswer = onAnswer;
    this.#start();
  }

  #start() {
    this.#worker?.terminate();
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      this.#answered = data.id;
      if (data.id === this.#asked) this.#onAnswer(data);
    });
    worker.addEventListener("error", () => {
      if (worker !== this.#worker) return;
      this.#worker = null;
      if (this.#posted === this.#asked && this.#answered < this.#posted) {
        this.#onAnswer({ failed: navigator.onLine ? "broken" : "offline" });
      }
    });
    this.#worker = worker;
  }

  // Ask {text} or {file}; a worker that has been busy with an older question for long is given up.
  ask(question) {
    const busy = this.#answered < this.#posted && performance.now() - this.#began > SLOW;
    if (!this.#worker || busy) this.#start();
    this.#began = performance.now();
    this.#posted = ++this.#asked;
    this.#worker.postMessage({ id: this.#posted, ...question });
  }

  // Answer nothing that was asked so far.
  forget() {
    this.#asked++;
  }
}
