// Measures the milliseconds that our scripts take in each frame.

const most = 1200;

/** Adds up the time of everything that runs between two frames. */
class Meter {
  /** Milliseconds of the last frames in which something ran, oldest first. */
  frames = [];
  #sum = 0;
  #depth = 0;
  #isDue = false;

  /** Wraps a function so that its time counts. */
  measured(action) {
    const meter = this;
    return function (...values) {
      return meter.run(() => action.apply(this, values));
    };
  }

  run(action) {
    if (this.#depth > 0) return action();
    const start = performance.now();
    this.#depth += 1;
    try {
      return action();
    } finally {
      this.#depth -= 1;
      this.#sum += performance.now() - start;
      if (!this.#isDue) {
        this.#isDue = true;
        // The task after the next frame ends the account of that frame.
        requestAnimationFrame(() => setTimeout(() => this.#close()));
      }
    }
  }

  #close() {
    this.#isDue = false;
    this.frames.push(this.#sum);
    this.#sum = 0;
    if (this.frames.length > most) this.frames.shift();
  }
}

export const meter = new Meter();
