// The selection on the surface of a page: its frame with handles, the lasso, moving and scaling. Places
// are pixels of the surface, boxes and maps millimetres.
import { drawPath, pathOf } from "/js/page/tiles.js";

/** Pixels between the ink and its frame, and the least side of a frame. */
const margin = 7;
const leastSide = 26;
/** The least side of a frame that has a handle in its middle. */
const leastForMiddle = 64;
/** The radius of a handle, and the distance at which it is hit. */
const handleRadius = 5.5;
const reach = { mouse: 10, pen: 13, touch: 22 };
/** Pixels that a tap may move, and milliseconds after which a pointer at rest is a long press. */
const tapDistance = 5;
const holdTime = 500;
/** Pixels between the points of a lasso. */
const lassoStep = 1.5;
/** The most strokes that are drawn one by one while they move; more are moved as a picture. */
const mostSingle = 300;
/** The most strokes that are shown as selected; of more, the frame is enough. */
const mostMarked = 1500;
/** The factors that the studio accepts, and the least side in millimetres after scaling. */
const factors = [0.01, 100];
const leastMillimetres = 1;
/** Milliseconds after the last arrow key until the move is sent as one change. */
const keyPause = 400;

const places = {
  topLeft: [0, 0], top: [0.5, 0], topRight: [1, 0], right: [1, 0.5],
  bottomRight: [1, 1], bottom: [0.5, 1], bottomLeft: [0, 1], left: [0, 0.5],
};
const opposites = {
  topLeft: "bottomRight", top: "bottom", topRight: "bottomLeft", right: "left",
  bottomRight: "topLeft", bottom: "top", bottomLeft: "topRight", left: "right",
};
const cursors = {
  topLeft: "nwse-resize", bottomRight: "nwse-resize", topRight: "nesw-resize", bottomLeft: "nesw-resize",
  top: "ns-resize", bottom: "ns-resize", left: "ew-resize", right: "ew-resize",
};

/** A map of the plane: x becomes `x + sx * (x - fx) + dx` from the place (fx, fy) that stays. */
function mapped(map, [left, top, right, bottom]) {
  const x = (value) => map.fx + map.sx * (value - map.fx) + map.dx;
  const y = (value) => map.fy + map.sy * (value - map.fy) + map.dy;
  return [x(left), y(top), x(right), y(bottom)];
}

function move(dx, dy) {
  return { fx: 0, fy: 0, sx: 1, sy: 1, dx, dy };
}

/** Returns the map of a handle that was dragged by millimetres. Corners keep the proportions. */
function scaling(handle, [left, top, right, bottom], dx, dy) {
  const at = ([x, y]) => [left + x * (right - left), top + y * (bottom - top)];
  const [[x, y], [fx, fy]] = [at(places[handle]), at(places[opposites[handle]])];
  const [wide, high] = [x - fx, y - fy];
  const limited = (factor, side) => Math.min(factors[1], Math.max(factors[0], leastMillimetres / Math.max(Math.abs(side), leastMillimetres), factor));
  let [sx, sy] = [1, 1];
  if (wide !== 0 && high !== 0 && handle.length > 6) {
    const factor = ((wide + dx) * wide + (high + dy) * high) / (wide * wide + high * high);
    sx = sy = limited(factor, Math.max(Math.abs(wide), Math.abs(high)));
  } else {
    if (wide !== 0) sx = limited((wide + dx) / wide, wide);
    if (high !== 0) sy = limited((high + dy) / high, high);
  }
  return { fx, fy, sx, sy, dx: 0, dy: 0 };
}

/**
 * The tool for selections. It tells the view: "pick" and "press" with { x, y }, "select" with a selector,
 * "edit" with an edit, and "deselect".
 */
export class SelectionTool {
  #view;
  #model;
  #tell;
  #lasso = null;
  #drag = null;
  /** What is shown until the studio has confirmed an edit: { map }. */
  #settling = null;
  #nudge = null;
  #timer;
  #held = null;
  #picture = null;

  constructor(view, model, tell) {
    this.#view = view;
    this.#model = model;
    this.#tell = tell;
  }

  /** The selection of the model, or null. */
  get #selection() {
    return this.#model.selection;
  }

  get #map() {
    return this.#settling?.map ?? this.#drag?.map ?? this.#nudge?.map ?? null;
  }

  /** True while ink is dragged, or an edit is not confirmed. */
  get isMoving() {
    return this.#map !== null;
  }

  /** True while a pointer drags or draws a lasso. */
  get isUsed() {
    return this.#drag !== null || this.#lasso !== null;
  }

  /** The frame in pixels: { left, top, right, bottom }, or null. */
  get frame() {
    const map = this.#map;
    const box = map ? mapped(map, this.#boxOfEdit) : this.#selection?.box;
    if (!box) return null;
    const [from, to] = [this.#view.pixel(box[0], box[1]), this.#view.pixel(box[2], box[3])];
    const side = (low, high) => {
      const more = Math.max(margin, (leastSide - (high - low)) / 2);
      return [low - more, high + more];
    };
    const [[left, right], [top, bottom]] = [side(from.x, to.x), side(from.y, to.y)];
    return { left, top, right, bottom };
  }

  /** The box before the edit that is shown. */
  get #boxOfEdit() {
    return this.#edit.box;
  }

  get #edit() {
    return this.#settling ?? this.#drag ?? this.#nudge;
  }

  /** The box and the strokes that an edit begins with: the studio may answer before it is confirmed. */
  get #origin() {
    return { box: this.#selection.box, strokes: this.#strokes };
  }

  /** The handles of a frame: [name, x, y]. */
  #handles({ left, top, right, bottom }) {
    const { box } = this.#selection;
    const [isWide, isHigh] = [right - left >= leastForMiddle, bottom - top >= leastForMiddle];
    return Object.entries(places).filter(([, [x, y]]) => {
      if (x === 0.5) return isWide && box[3] > box[1];
      return y !== 0.5 || (isHigh && box[2] > box[0]);
    }).map(([name, [x, y]]) => [name, left + x * (right - left), top + y * (bottom - top)]);
  }

  /** Returns the name of the handle at a place, "inside", or null. */
  hit({ x, y }, type) {
    const frame = this.#selection ? this.frame : null;
    if (!frame) return null;
    const isInside = x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom;
    const side = Math.min(frame.right - frame.left, frame.bottom - frame.top);
    let near = reach[type] ?? reach.mouse;
    // The inside of a small frame is for moving.
    if (isInside) near = Math.min(near, side / 4);
    let best = null;
    for (const [name, hx, hy] of this.#handles(frame)) {
      const away = Math.hypot(x - hx, y - hy);
      if (away <= near) [best, near] = [name, away];
    }
    return best ?? (isInside ? "inside" : null);
  }

  /** Returns the cursor at a place, or "". */
  cursor(at, type) {
    const hit = this.hit(at, type);
    return hit === null ? "" : cursors[hit] ?? "move";
  }

  // MARK: - Pointers

  /** Takes a pointer that comes down; returns false if it is none of ours. */
  down(event, at, tool) {
    this.release();
    if (tool === "eraser" || tool === "highlighter") return false;
    const hit = this.hit(at, event.pointerType);
    if (hit !== null) {
      this.#sendNudge();
      // The next edit begins where the last one ends.
      if (this.#settling) return true;
      this.#drag = { id: event.pointerId, tool, handle: hit === "inside" ? null : hit, start: at, map: null, ...this.#origin };
      if (event.pointerType !== "mouse" && tool !== "pen") this.watch(event.pointerId, at);
      return true;
    }
    if (tool !== "lasso") return false;
    const place = this.#view.place(at.x, at.y);
    this.#lasso = { id: event.pointerId, start: at, last: at, path: { x: [place.x], y: [place.y] }, isTap: true, isRectangle: event.shiftKey };
    this.watch(event.pointerId, at);
    return true;
  }

  /** Takes a move; returns true if it is ours. */
  move(event, at) {
    if (this.#lasso?.id === event.pointerId) this.#draw(at);
    else if (this.#drag?.id === event.pointerId) this.#dragTo(at);
    else return false;
    return true;
  }

  #draw(at) {
    const lasso = this.#lasso;
    if (Math.hypot(at.x - lasso.start.x, at.y - lasso.start.y) > tapDistance) {
      lasso.isTap = false;
      if (this.#held === lasso.id) {
        // What a long press has selected is dragged on.
        this.#lasso = null;
        if (!this.grab(lasso.id, lasso.start, "lasso")) this.release();
        else this.#dragTo(at);
        return;
      }
      this.release();
    }
    if (Math.hypot(at.x - lasso.last.x, at.y - lasso.last.y) < lassoStep) return;
    lasso.last = at;
    const place = this.#view.place(at.x, at.y);
    lasso.path.x.push(place.x);
    lasso.path.y.push(place.y);
    this.#view.redraw("top");
  }

  /** Begins to drag the selection with a pointer that is down; returns false if there is none. */
  grab(id, start, tool) {
    if (!this.#selection || this.#settling || this.hit(start, "touch") === null) return false;
    this.#drag = { id, tool, handle: null, start, map: null, ...this.#origin };
    return true;
  }

  #dragTo(at) {
    const drag = this.#drag;
    if (!this.#selection) return this.cancel();
    if (drag.map === null) {
      if (Math.hypot(at.x - drag.start.x, at.y - drag.start.y) <= tapDistance) return;
      if (this.#held !== drag.id) this.release();
    }
    const { scale } = this.#view.camera;
    const [dx, dy] = [(at.x - drag.start.x) / scale, (at.y - drag.start.y) / scale];
    const isFirst = drag.map === null;
    drag.map = drag.handle ? scaling(drag.handle, drag.box, dx, dy) : move(dx, dy);
    if (isFirst) this.#view.redraw("overlay");
    this.#view.redraw("top");
    if (isFirst) this.#tell("moving");
  }

  /** Takes a pointer that has left; returns true if it is ours. */
  up(event, at, isComplete) {
    const isHeld = this.#held === event.pointerId;
    if (this.#lasso?.id === event.pointerId) {
      const { path, isTap, isRectangle, start } = this.#lasso;
      this.#lasso = null;
      this.release();
      this.#view.redraw("top");
      if (!isComplete || isHeld && isTap) return true;
      if (isTap) this.#tell("pick", start);
      else this.#tell("select", { unit: "lasso", path: this.#rounded(isRectangle ? this.#rectangle(path) : path) });
      return true;
    }
    if (this.#drag?.id !== event.pointerId) return false;
    const { map, handle, start, tool } = this.#drag;
    const drag = this.#drag;
    this.#drag = null;
    this.release();
    if (!isComplete) this.#show();
    else if (map === null) {
      if (!isHeld) this.#tell(tool === "pen" ? "deselect" : "pick", start);
    } else this.#send(drag, handle);
    return true;
  }

  #send({ map, box, strokes }, handle) {
    this.#settling = { map, box, strokes };
    this.#show();
    const rounded = (value) => Math.round(value * 1000) / 1000;
    this.#tell("edit", handle
      ? { edit: "scale", x: map.sx, y: map.sy, about: opposites[handle] }
      : { edit: "move", dx: rounded(map.dx), dy: rounded(map.dy) });
  }

  #rectangle({ x, y }) {
    const [left, top, right, bottom] = [x[0], y[0], x.at(-1), y.at(-1)];
    return { x: [left, right, right, left], y: [top, top, bottom, bottom] };
  }

  #rounded({ x, y }) {
    const rounded = (values) => values.map((value) => Math.round(value * 1000) / 1000);
    return { x: rounded(x), y: rounded(y) };
  }

  /** Tells of a press once a pointer has rested for a while. */
  watch(id, at) {
    this.release();
    this.#timer = setTimeout(() => {
      this.#held = id;
      this.#tell("press", at);
    }, holdTime);
  }

  /** Forgets a pointer that rested. */
  release() {
    clearTimeout(this.#timer);
    this.#held = null;
  }

  /** True if a pointer was told as a long press. */
  isHeld(id) {
    return this.#held === id;
  }

  /** Drops what a pointer began. */
  cancel() {
    this.release();
    this.#lasso = this.#drag = null;
    this.#show();
  }

  // MARK: - Edits

  /** Moves the selection by millimetres. Moves in quick succession are one change. */
  nudge(dx, dy) {
    if (!this.#selection || this.#settling || this.#drag) return;
    const nudge = this.#nudge ?? { map: move(0, 0), ...this.#origin };
    this.#nudge = { ...nudge, map: move(nudge.map.dx + dx, nudge.map.dy + dy) };
    clearTimeout(this.nudgeTimer);
    this.nudgeTimer = setTimeout(() => this.#sendNudge(), keyPause);
    this.#show();
    this.#tell("moving");
  }

  /** Sends moves that wait for another key. */
  flush() {
    this.#sendNudge();
  }

  /** Drops moves that wait for another key; returns false if there are none. */
  dropNudge() {
    if (!this.#nudge) return false;
    clearTimeout(this.nudgeTimer);
    this.#nudge = null;
    this.#show();
    return true;
  }

  #sendNudge() {
    clearTimeout(this.nudgeTimer);
    if (!this.#nudge) return;
    const nudge = this.#nudge;
    this.#nudge = null;
    if (this.#selection) this.#send(nudge, null);
  }

  /** Shows the selection of the model again: an edit was confirmed or refused. */
  settle() {
    if (!this.#settling) return;
    this.#settling = null;
    this.#show();
  }

  /** Shows another selection of the model. */
  update() {
    if (!this.#selection) {
      clearTimeout(this.nudgeTimer);
      this.#drag = this.#nudge = null;
    }
    this.#show();
  }

  #show() {
    this.#picture = null;
    this.#view.redraw("overlay", "top");
  }

  // MARK: - Drawing

  get #strokes() {
    if (!this.#selection) return [];
    return this.#selection.items.map((id) => this.#model.strokes.get(id)).filter(Boolean);
  }

  /** Draws which strokes are selected; the context is in millimetres. */
  drawOverlay(context, palette, scale) {
    const strokes = this.#strokes;
    if (this.#map) {
      context.strokeStyle = context.fillStyle = palette.get("paper");
      context.globalAlpha = 0.75;
      for (const stroke of this.#edit.strokes) if (this.#model.strokes.has(stroke.id)) drawPath(context, stroke, scale, 1.8);
      context.globalAlpha = 1;
    } else if (strokes.length <= mostMarked) {
      context.strokeStyle = context.fillStyle = palette.get("accent");
      context.globalAlpha = 0.45;
      for (const stroke of strokes) drawPath(context, stroke, scale, 2.4);
      context.globalAlpha = 1;
    }
  }

  /** Draws the frame, what is dragged, and the lasso; the context is in pixels. */
  drawTop(context, palette, ratio, toPage) {
    const map = this.#map;
    if (map) {
      const { strokes } = this.#edit;
      if (strokes.length > mostSingle) this.#drawPicture(context, palette, ratio, toPage, strokes, map);
      else this.#drawMoved(context, palette, ratio, toPage, strokes, map);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    if (this.#selection || this.#settling) this.#drawFrame(context, palette);
    if (this.#lasso && !this.#lasso.isTap) this.#drawLasso(context, palette);
  }

  #drawMoved(context, palette, ratio, toPage, strokes, map) {
    toPage(context, ratio);
    const matrix = new DOMMatrix([map.sx, 0, 0, map.sy, map.fx - map.sx * map.fx + map.dx, map.fy - map.sy * map.fy + map.dy]);
    for (const stroke of strokes) {
      context.strokeStyle = context.fillStyle = stroke.color ?? palette.get("ink");
      if (stroke.text || stroke.image) {
        context.save();
        context.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f);
        drawPath(context, stroke, this.#view.camera.scale);
        context.restore();
        continue;
      }
      const { path, width } = pathOf(stroke);
      const moved = new Path2D();
      moved.addPath(path, matrix);
      if (width === null) {
        context.fill(moved);
      } else {
        context.lineWidth = Math.max(width, 1 / this.#view.camera.scale);
        context.stroke(moved);
      }
    }
  }

  #drawPicture(context, palette, ratio, toPage, strokes, map) {
    const { camera } = this.#view;
    const { width, height } = this.#view.size;
    if (this.#picture?.camera !== camera) {
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.max(1, Math.round(height * ratio));
      const inner = canvas.getContext("2d");
      toPage(inner, ratio);
      for (const stroke of strokes) {
        inner.strokeStyle = inner.fillStyle = stroke.color ?? palette.get("ink");
        drawPath(inner, stroke, camera.scale);
      }
      this.#picture = { canvas, camera };
    }
    const fixed = this.#view.pixel(map.fx, map.fy);
    context.setTransform(ratio * map.sx, 0, 0, ratio * map.sy,
      ratio * (fixed.x - map.sx * fixed.x + map.dx * camera.scale), ratio * (fixed.y - map.sy * fixed.y + map.dy * camera.scale));
    context.drawImage(this.#picture.canvas, 0, 0, width, height);
  }

  #drawFrame(context, palette) {
    const frame = this.frame;
    if (!frame) return;
    const { left, top, right, bottom } = frame;
    context.setLineDash([]);
    context.strokeStyle = context.fillStyle = palette.get("accent");
    context.globalAlpha = 0.07;
    context.fillRect(left, top, right - left, bottom - top);
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.strokeRect(left, top, right - left, bottom - top);
    if (!this.#selection || this.#settling) return;
    context.fillStyle = palette.get("paper");
    for (const [, x, y] of this.#handles(frame)) {
      context.beginPath();
      context.arc(x, y, handleRadius, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }

  #drawLasso(context, palette) {
    const { path, isRectangle } = this.#lasso;
    const { x, y } = isRectangle ? this.#rectangle(path) : path;
    context.beginPath();
    x.forEach((each, index) => {
      const at = this.#view.pixel(each, y[index]);
      context.lineTo(at.x, at.y);
    });
    context.fillStyle = context.strokeStyle = palette.get("accent");
    context.globalAlpha = 0.08;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.setLineDash([6, 4]);
    if (isRectangle) context.closePath();
    context.stroke();
    context.setLineDash([]);
  }
}
