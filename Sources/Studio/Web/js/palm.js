// Tells the palm of a writing hand from an intended touch, by the rule of PalmRejection in PenInput.

/**
 * Milliseconds after a pen has left in which a touch is a palm, as `PalmRejection.window`: a hand is
 * lifted within about a tenth of a second after the pen. Later touches do not write either, because
 * fingers leave the writing to a pen that was seen.
 */
export const penMemory = 150;
/** The width of a contact in CSS pixels above which it is a palm: a fingertip is about 12 mm (45) wide. */
export const widestTip = 60;

export class PalmRejection {
  /** True once a pen was seen: who writes with a pen does not write with a finger. */
  hasPen = false;
  /** The pens that touch the surface or hover over it. */
  #near = new Set();
  #lastPen = -Infinity;

  /** Takes a pointer that comes down; returns false for a palm. */
  accepts(event) {
    if (event.pointerType === "pen") {
      this.#near.add(event.pointerId);
      this.hasPen = true;
      return true;
    }
    if (event.pointerType !== "touch") return true;
    if (this.#near.size > 0 || event.timeStamp - this.#lastPen <= penMemory) return false;
    return Math.max(event.width, event.height) <= widestTip;
  }

  /** Takes the move of a pointer that is not down. */
  hovers(event) {
    if (event.pointerType === "pen") this.#near.add(event.pointerId);
  }

  /** Takes a pointer that leaves the surface. */
  left(event) {
    if (this.#near.delete(event.pointerId)) this.#lastPen = event.timeStamp;
  }
}
