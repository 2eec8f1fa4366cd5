// The surface of a page: ink, shapes and marks, zoom and movement, pen, eraser, lasso and hand.
import { boxOf, nameOf } from "/js/page/model.js";
import { meter } from "/js/page/meter.js";
import { SelectionTool } from "/js/page/selection.js";
import { drawPath, InkTiles } from "/js/page/tiles.js";
import { PalmRejection } from "/js/palm.js";
import { isEraser, listenToPointers, LiveStroke, Palette } from "/js/pointer.js";

/** Pixels per millimetre at 100 %. */
export const pixelsPerMillimetre = 96 / 25.4;
const leastScale = 0.08 * pixelsPerMillimetre;
const greatestScale = 8 * pixelsPerMillimetre;
/** Millimetres between the guide lines. */
const guideSpacing = 10;
/** Millimetres, the width of the highlighter. */
const markerWidth = 5;
/** Millimetres around a formula or a mark. */
const partMargin = 0.8;
/** Milliseconds after which a scale counts as settled. */
const settling = 120;
/** Pixels that a tap may move. */
const tapDistance = 5;

/**
 * Events: "stroke" with detail = { stroke, time }, in millimetres; "erase" and "highlight" with detail.path; "tap"
 * with detail = { item, x, y, isTouch } for the hand; "hover" with detail.item; "camera"; "strokestart",
 * "progress" and "strokecancel" about the live stroke. About the selection: "pick" and "press" with
 * detail = { item, x, y } for a tap and a long press, "select" and "edit" with detail = the members of a command,
 * "moving" when a drag begins, "deselect".
 */
export class PageView extends EventTarget {
  /** "pen", "highlighter", "eraser", "lasso" or "hand". */
  tool = "pen";
  /** True if the eraser takes only what is under it. */
  erasesPrecisely = false;
  camera = { x: 0, y: 0, scale: pixelsPerMillimetre };
  /** Milliseconds from the event to the end of drawing of the last frames; see `meter`. */
  meter = meter;
  #parent;
  #model;
  #tiles = new InkTiles();
  #canvases;
  #contexts;
  #observer;
  #palette;
  #local = new Map();
  #unsaved = new Set();
  #fading = new Set();
  #marked = new Set();
  #isDue = false;
  #needs = { base: true, overlay: true, top: true };
  #scaleTime = -Infinity;
  #pointers = new Map();
  #live = null;
  #erasing = null;
  #pan = null;
  #pinch = null;
  #palms = new PalmRejection();
  #selection;
  #hover = null;
  #isSpaceDown = false;
  #width = 0;
  #height = 0;

  constructor(parent, model, label) {
    super();
    this.#parent = parent;
    this.#model = model;
    this.#selection = new SelectionTool(this, model, (name, detail) => this.#tell(name, detail));
    this.#canvases = ["base", "overlay", "top"].map((name) => {
      const canvas = document.createElement("canvas");
      canvas.className = `ink ${name}`;
      if (name !== "top") canvas.setAttribute("aria-hidden", "true");
      return canvas;
    });
    this.#contexts = this.#canvases.map((canvas) => canvas.getContext("2d"));
    const top = this.element;
    top.tabIndex = 0;
    top.setAttribute("role", "application");
    top.setAttribute("aria-label", label);
    parent.append(...this.#canvases);
    this.#palette = new Palette(parent, () => {
      this.#tiles.restart();
      this.#draw("base", "overlay", "top");
    });
    this.#tiles.onload = () => this.#draw("base");
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(parent);
    this.#listen();
    this.#resize();
  }

  /** The element that takes pointer events and keys. */
  get element() {
    return this.#canvases[2];
  }

  get size() {
    return { width: this.#width, height: this.#height };
  }

  /** True while a pointer writes or erases. */
  get isWriting() {
    return this.#live !== null || this.#erasing !== null;
  }

  /** The frame of the selection in pixels: { left, top, right, bottom }; null for none. */
  get selectionFrame() {
    return this.#selection.frame;
  }

  /** True while the selection is dragged or drawn, or an edit of it is not confirmed. */
  get isSelecting() {
    return this.#selection.isUsed || this.#selection.isMoving;
  }

  /** The stroke that is being written, with the time of its beginning, or null. */
  get liveStroke() {
    return this.#live ? { ...this.#live.stroke, time: this.#live.time } : null;
  }

  remove() {
    this.#observer.disconnect();
    this.#palette.remove();
    removeEventListener("keydown", this.keys);
    removeEventListener("keyup", this.keys);
    for (const canvas of this.#canvases) canvas.remove();
  }

  setTool(tool) {
    this.tool = tool;
    this.#parent.dataset.tool = tool;
  }

  // MARK: - Content

  /** Shows the changes of the model; see PageModel.apply. */
  update({ added, gone, recolored, shapes, selection }) {
    for (const stroke of gone) {
      this.#tiles.remove(stroke);
      this.#fading.delete(stroke.id);
    }
    for (const stroke of added) this.#tiles.add(stroke);
    for (const stroke of recolored) this.#tiles.redraw(stroke);
    if (added.length > 0 || gone.length > 0 || recolored.length > 0) this.#draw("base");
    if (shapes || gone.length > 0) this.#draw("overlay");
    if (selection) this.#selection.update();
  }

  /** Returns the number of strokes in a rectangle of pixels. */
  inkIn(left, top, right, bottom) {
    const [from, to] = [this.place(left, top), this.place(right, bottom)];
    return this.#tiles.grid.find(from.x, from.y, to.x, to.y).length;
  }

  /** Moves the selection by millimetres, as arrow keys do. */
  nudge(dx, dy) {
    this.#selection.nudge(dx, dy);
  }

  /** Sends moves by keys that wait for another key. */
  flushNudge() {
    this.#selection.flush();
  }

  /** Drops moves by keys that wait for another key; returns false if there are none. */
  dropNudge() {
    return this.#selection.dropNudge();
  }

  /** Shows the selection of the model again: an edit was confirmed or refused. */
  endEdit() {
    this.#selection.settle();
  }

  /** Drops what a pointer began, such as a lasso. */
  stopSelecting() {
    this.#selection.cancel();
  }

  /** Draws layers again: "base", "overlay", "top". */
  redraw(...layers) {
    this.#draw(...layers);
  }

  #tell(name, at) {
    const detail = name === "pick" || name === "press" ? { ...at, item: this.#itemAt(at) } : at;
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Shows a stroke that the studio has not confirmed, under the id of its command. */
  addLocal(id, strokes) {
    const list = strokes.map((stroke) => ({ ...stroke, box: boxOf(stroke) }));
    this.#local.set(id, list);
    for (const stroke of list) this.#tiles.add(stroke);
    this.#draw("base", "overlay");
  }

  /** Removes the strokes of a command: the studio shows them now, or it refused them. */
  removeLocal(id, isReplaced) {
    for (const stroke of this.#local.get(id) ?? []) this.#tiles.remove(stroke, isReplaced);
    this.#local.delete(id);
    if (this.#unsaved.delete(id)) this.#draw("overlay");
    if (!isReplaced) this.#draw("base");
  }

  /** Marks the strokes of commands as not saved. */
  setUnsaved(ids) {
    const own = ids.filter((id) => this.#local.has(id));
    if (own.length === this.#unsaved.size && own.every((id) => this.#unsaved.has(id))) return;
    this.#unsaved = new Set(own);
    this.#draw("overlay");
  }

  /** Shows strokes again that were to be erased. */
  endErasing() {
    if (this.#fading.size === 0) return;
    this.#fading.clear();
    this.#draw("overlay");
  }

  /** Marks the strokes of items, such as those of a word. */
  mark(items) {
    if (items.length === 0 && this.#marked.size === 0) return;
    this.#marked = new Set(items);
    this.#draw("overlay");
  }

  // MARK: - Camera

  /** Returns the pixel of a place in millimetres. */
  pixel(x, y) {
    const { camera } = this;
    return { x: (x - camera.x) * camera.scale, y: (y - camera.y) * camera.scale };
  }

  /** Returns the place of a pixel in millimetres. */
  place(x, y) {
    const { camera } = this;
    return { x: x / camera.scale + camera.x, y: y / camera.scale + camera.y };
  }

  /** Moves the page by pixels. */
  panBy(dx, dy) {
    this.setCamera({ ...this.camera, x: this.camera.x - dx / this.camera.scale, y: this.camera.y - dy / this.camera.scale });
  }

  /** Zooms about a pixel; the middle of the view if there is none. */
  zoomBy(factor, x = this.#width / 2, y = this.#height / 2) {
    const place = this.place(x, y);
    const scale = Math.min(greatestScale, Math.max(leastScale, this.camera.scale * factor));
    this.setCamera({ scale, x: place.x - x / scale, y: place.y - y / scale });
  }

  /** Shows a box of millimetres as large as fits, but not larger than 100 %. */
  fit(box, greatest = pixelsPerMillimetre) {
    if (!box) return this.setCamera({ x: 0, y: 0, scale: pixelsPerMillimetre });
    const margin = 16;
    const scale = Math.max(leastScale, Math.min(greatest,
      (this.#width - 2 * margin) / Math.max(1, box.right - box.left),
      (this.#height - 2 * margin) / Math.max(1, box.bottom - box.top)));
    this.setCamera({ scale, x: box.left - margin / scale, y: box.top - margin / scale });
  }

  setCamera(camera) {
    if (Math.abs(camera.scale / this.camera.scale - 1) > 1e-9) {
      this.#scaleTime = performance.now();
      setTimeout(() => this.#draw("base"), settling + 10);
    }
    const limit = 1e5;
    camera.x = Math.min(limit, Math.max(-limit, camera.x));
    camera.y = Math.min(limit, Math.max(-limit, camera.y));
    this.camera = camera;
    this.#draw("base", "overlay", "top");
    this.dispatchEvent(new Event("camera"));
  }

  // MARK: - Input

  #listen() {
    const top = this.element;
    listenToPointers(top, {
      down: (event) => this.#down(event),
      move: (event) => this.#move(event),
      up: (event) => this.#up(event, true),
      cancel: (event) => this.#up(event, false),
      leave: (event) => {
        if (!this.#pointers.has(event.pointerId)) this.#palms.left(event);
        this.#setHover(null);
      },
    }, (action) => meter.measured(action));
    top.addEventListener("wheel", meter.measured((event) => this.#wheel(event)), { passive: false });
    this.keys = (event) => {
      if (event.type === "keydown") this.#parent.classList.remove("by-pointer");
      if (event.code !== "Space" || (event.type === "keydown" && event.target !== top)) return;
      this.#isSpaceDown = event.type === "keydown";
      this.#parent.classList.toggle("moving", this.#isSpaceDown);
      if (event.target === top) event.preventDefault();
    };
    addEventListener("keydown", this.keys);
    addEventListener("keyup", this.keys);
  }

  #at(event) {
    return { x: event.offsetX, y: event.offsetY };
  }

  /** Returns the tool of a pointer that comes down; null for a palm. */
  #toolOf(event) {
    if (!this.#palms.accepts(event)) return null;
    if (event.pointerType === "pen") return isEraser(event) ? "eraser" : this.tool;
    // Who writes with a pen moves the page with a finger.
    if (event.pointerType === "touch") return this.#palms.hasPen ? "hand" : this.tool;
    if (event.button === 1 || this.#isSpaceDown) return "hand";
    return event.button === 0 ? this.tool : null;
  }

  #down(event) {
    event.preventDefault();
    // The frame of the focus is for the keyboard.
    this.#parent.classList.add("by-pointer");
    this.element.focus({ preventScroll: true });
    if (event.pointerType === "pen") {
      // The touches before the pen were the palm.
      for (const [id, pointer] of this.#pointers) if (pointer.type === "touch") this.#pointers.delete(id);
      this.#cancel();
    }
    const tool = this.#toolOf(event);
    if (tool === null) return;
    const at = this.#at(event);
    this.#pointers.set(event.pointerId, { type: event.pointerType, ...at });
    try {
      this.element.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already.
    }
    const touches = [...this.#pointers.values()].filter((pointer) => pointer.type === "touch");
    if (touches.length === 2) {
      this.#cancel();
      this.#pinch = this.#pinchOf(touches);
      return;
    }
    if (this.#live || this.#erasing || this.#pan || this.#pinch || this.#selection.isUsed) return;
    const isPanning = event.button === 1 || this.#isSpaceDown;
    if (!isPanning && this.#selection.down(event, at, tool)) {
      // The selection takes it.
    } else if (tool === "hand") {
      this.#pan = { id: event.pointerId, start: at, last: at, isTap: true };
      if (event.pointerType === "touch") this.#selection.watch(event.pointerId, at);
    } else if (tool === "eraser" || tool === "highlighter") {
      this.#erasing = { id: event.pointerId, path: { x: [], y: [] }, isMarker: tool === "highlighter" };
      this.#erase(at);
    } else {
      if (this.#model.selection) this.#tell("deselect");
      this.#live = new LiveStroke(this.element, event, { place: (x, y) => this.place(x, y), decimals: [3, 0] });
      this.#live.time = Date.now();
      this.dispatchEvent(new Event("strokestart"));
    }
    this.#setHover(null);
    this.#draw("top");
  }

  #move(event) {
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) {
      this.#palms.hovers(event);
      if (event.pointerType === "touch") return;
      this.#setHover(this.#itemAt(this.#at(event)));
      const takes = this.tool !== "eraser" && this.tool !== "highlighter";
      const cursor = takes ? this.#selection.cursor(this.#at(event), event.pointerType) : "";
      if (this.element.style.cursor !== cursor) this.element.style.cursor = cursor;
      return;
    }
    Object.assign(pointer, this.#at(event));
    if (this.#pinch) {
      const touches = [...this.#pointers.values()].filter((each) => each.type === "touch");
      if (touches.length === 2) this.#pinchTo(this.#pinchOf(touches));
    } else if (this.#selection.move(event, this.#at(event))) {
      // The selection takes it.
    } else if (this.#live?.id === event.pointerId) {
      this.#live.move(event);
      this.dispatchEvent(new Event("progress"));
      this.#draw("top");
    } else if (this.#erasing?.id === event.pointerId) {
      this.#erase(pointer);
    } else if (this.#pan?.id === event.pointerId) {
      const pan = this.#pan;
      if (pan.isTap && Math.hypot(pointer.x - pan.start.x, pointer.y - pan.start.y) > tapDistance) {
        pan.isTap = false;
        if (this.#selection.isHeld(pan.id) && this.#selection.grab(pan.id, pan.start, "hand")) {
          this.#pan = null;
          return;
        }
        this.#selection.release();
      }
      if (!pan.isTap) this.panBy(pointer.x - pan.last.x, pointer.y - pan.last.y);
      if (!pan.isTap) pan.last = { x: pointer.x, y: pointer.y };
    }
  }

  #up(event, isComplete) {
    this.#palms.left(event);
    if (!this.#pointers.delete(event.pointerId)) return;
    if (this.#pinch) {
      if (![...this.#pointers.values()].some((each) => each.type === "touch")) this.#pinch = null;
      return;
    }
    if (this.#selection.up(event, this.#at(event), isComplete)) return;
    if (this.#live?.id === event.pointerId) {
      if (!isComplete) return this.#cancel();
      const { time } = this.#live;
      const stroke = this.#live.end(event);
      this.#live = null;
      this.#draw("top");
      this.dispatchEvent(new CustomEvent("stroke", { detail: { stroke: { ...stroke, time }, time: performance.now() } }));
    } else if (this.#erasing?.id === event.pointerId) {
      const { path, isMarker, isUsed } = this.#erasing;
      this.#erasing = null;
      this.#draw("top");
      if (isMarker && isComplete) this.dispatchEvent(new CustomEvent("highlight", { detail: { path } }));
      else if (isComplete && isUsed) this.dispatchEvent(new CustomEvent("erase", { detail: { path } }));
      else this.endErasing();
    } else if (this.#pan?.id === event.pointerId) {
      const { isTap, start, id } = this.#pan;
      const isHeld = this.#selection.isHeld(id);
      this.#pan = null;
      this.#selection.release();
      if (isTap && isComplete && !isHeld) {
        const detail = { item: this.#itemAt(start), isTouch: event.pointerType === "touch", ...start };
        this.dispatchEvent(new CustomEvent("tap", { detail }));
      }
    }
  }

  /** Drops what the pointers began. */
  #cancel() {
    this.#selection.cancel();
    if (this.#live) this.dispatchEvent(new Event("strokecancel"));
    this.#live = this.#pan = this.#pinch = null;
    if (this.#erasing) {
      this.#erasing = null;
      this.endErasing();
    }
    this.#draw("top");
  }

  #pinchOf([a, b]) {
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  }

  #pinchTo(next) {
    this.panBy(next.x - this.#pinch.x, next.y - this.#pinch.y);
    this.zoomBy(next.distance / this.#pinch.distance, next.x, next.y);
    this.#pinch = next;
  }

  #wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? this.#height : 1;
    if (event.ctrlKey || event.metaKey) {
      this.zoomBy(Math.exp(-event.deltaY * unit * (Math.abs(event.deltaY) < 50 ? 0.01 : 0.002)), event.offsetX, event.offsetY);
    } else if (event.shiftKey && event.deltaX === 0) {
      this.panBy(-event.deltaY * unit, 0);
    } else {
      this.panBy(-event.deltaX * unit, -event.deltaY * unit);
    }
  }

  #near(place, radius) {
    return this.#tiles.grid.find(place.x - radius, place.y - radius, place.x + radius, place.y + radius)
      .filter((stroke) => stroke.id !== undefined && distance(stroke, place) <= radius);
  }

  #itemAt(at) {
    const place = this.place(at.x, at.y);
    const radius = Math.max(2, 8 / this.camera.scale);
    let best = null;
    for (const stroke of this.#near(place, radius)) {
      const away = distance(stroke, place);
      if (best === null || away < best.away) best = { id: stroke.id, away };
    }
    return best?.id ?? null;
  }

  #erase(at) {
    const place = this.place(at.x, at.y);
    const { path, isMarker } = this.#erasing;
    const from = path.x.length > 0 ? { x: path.x.at(-1), y: path.y.at(-1) } : place;
    const steps = Math.max(1, Math.ceil(Math.hypot(place.x - from.x, place.y - from.y) / this.#model.eraserRadius));
    for (let i = 1; i <= steps && !isMarker; i++) {
      const middle = { x: from.x + (place.x - from.x) * i / steps, y: from.y + (place.y - from.y) * i / steps };
      for (const stroke of this.#near(middle, this.#model.eraserRadius)) {
        this.#erasing.isUsed = true;
        if (!this.erasesPrecisely) this.#fading.add(stroke.id);
      }
    }
    path.x.push(Math.round(place.x * 1000) / 1000);
    path.y.push(Math.round(place.y * 1000) / 1000);
    this.#draw("overlay", "top");
  }

  #setHover(item) {
    if (item === this.#hover) return;
    this.#hover = item;
    this.dispatchEvent(new CustomEvent("hover", { detail: { item } }));
  }

  // MARK: - Drawing

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#parent;
    this.#width = width;
    this.#height = height;
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of this.#canvases) {
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.max(1, Math.round(height * ratio));
    }
    this.#draw("base", "overlay", "top");
    this.dispatchEvent(new Event("camera"));
  }

  #draw(...layers) {
    for (const layer of layers) this.#needs[layer] = true;
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(meter.measured(() => {
      this.#isDue = false;
      this.#frame();
    }));
  }

  #frame() {
    const ratio = window.devicePixelRatio || 1;
    const needs = this.#needs;
    this.#needs = {};
    if (needs.base) this.#drawBase(ratio);
    if (needs.overlay) this.#drawOverlay(ratio);
    if (needs.top) this.#drawTop(ratio);
  }

  #begin(index, ratio) {
    const context = this.#contexts[index];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.#width, this.#height);
    return context;
  }

  /** Makes millimetres of the page the unit of a context. */
  #toPage(context, ratio) {
    const { x, y, scale } = this.camera;
    context.setTransform(scale * ratio, 0, 0, scale * ratio, -x * scale * ratio, -y * scale * ratio);
    context.lineCap = context.lineJoin = "round";
  }

  #drawBase(ratio) {
    const context = this.#begin(0, ratio);
    this.#drawGuides(context);
    const isSettled = performance.now() - this.#scaleTime > settling;
    const isLeft = this.#tiles.draw(context, this.#width, this.#height, this.camera, ratio, this.#palette.get("ink"), isSettled);
    if (isLeft) this.#draw("base");
  }

  #drawGuides(context) {
    const step = guideSpacing * this.camera.scale;
    if (step < 14) return;
    context.strokeStyle = this.#palette.get("guide");
    context.globalAlpha = 0.55;
    context.lineWidth = 1;
    context.beginPath();
    for (let y = (Math.ceil(this.camera.y / guideSpacing) * guideSpacing - this.camera.y) * this.camera.scale; y < this.#height; y += step) {
      context.moveTo(0, Math.round(y) + 0.5);
      context.lineTo(this.#width, Math.round(y) + 0.5);
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  #drawOverlay(ratio) {
    const context = this.#begin(1, ratio);
    const scale = this.camera.scale;
    const corner = this.place(this.#width, this.#height);
    const isSeen = ([left, top, right, bottom]) =>
      right >= this.camera.x && left <= corner.x && bottom >= this.camera.y && top <= corner.y;
    const shapes = this.#model.shapes.filter((block) => isSeen(block.box));
    this.#toPage(context, ratio);
    for (const each of this.#model.decorations) drawDecoration(context, each, this.#palette);
    context.strokeStyle = this.#palette.get("s3");
    context.lineWidth = 1.2 / scale;
    context.setLineDash([4 / scale, 4 / scale]);
    for (const block of shapes) drawShape(context, block.shape);
    const parts = this.#model.parts.filter((block) => isSeen(block.box));
    context.strokeStyle = this.#palette.get("s2");
    context.setLineDash([1.5 / scale, 2.5 / scale]);
    for (const { box: [left, top, right, bottom] } of parts) {
      context.strokeRect(left - partMargin, top - partMargin, right - left + 2 * partMargin, bottom - top + 2 * partMargin);
    }
    context.setLineDash([]);
    context.strokeStyle = context.fillStyle = this.#palette.get("accent");
    for (const id of this.#marked) {
      const stroke = this.#model.strokes.get(id);
      if (stroke) drawPath(context, stroke, scale, 1.7);
    }
    context.strokeStyle = context.fillStyle = this.#palette.get("warn");
    for (const id of this.#unsaved) for (const stroke of this.#local.get(id) ?? []) drawPath(context, stroke, scale, 1.1);
    context.strokeStyle = context.fillStyle = this.#palette.get("paper");
    context.globalAlpha = 0.75;
    for (const id of this.#fading) {
      const stroke = this.#model.strokes.get(id);
      if (stroke) drawPath(context, stroke, scale, 1.8);
    }
    context.globalAlpha = 1;
    this.#selection.drawOverlay(context, this.#palette, scale);
    this.#drawNames(context, shapes, "s3", ratio);
    this.#drawNames(context, parts, "s2", ratio);
  }

  #drawNames(context, blocks, color, ratio) {
    if (this.camera.scale < 1.5) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "bottom";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = this.#palette.get("paper");
    context.fillStyle = this.#palette.get(color);
    for (const block of blocks) {
      const at = this.pixel(block.box[0], block.box[1]);
      const name = nameOf(block);
      context.strokeText(name, at.x, at.y - 3);
      context.fillText(name, at.x, at.y - 3);
    }
  }

  #drawTop(ratio) {
    const context = this.#begin(2, ratio);
    const scale = this.camera.scale;
    this.#selection.drawTop(context, this.#palette, ratio, (each, factor) => this.#toPage(each, factor));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (this.#live) {
      this.#toPage(context, ratio);
      context.strokeStyle = context.fillStyle = this.#palette.get("ink");
      const { stroke, predicted } = this.#live;
      drawPath(context, { x: stroke.x, y: stroke.y, force: stroke.force }, scale);
      if (predicted?.length > 0) {
        context.beginPath();
        context.moveTo(stroke.x.at(-1), stroke.y.at(-1));
        for (const { x, y } of predicted) context.lineTo(x, y);
        context.lineWidth = Math.max(0.5, 1 / scale);
        context.stroke();
      }
    } else if (this.#erasing) {
      const { path, isMarker } = this.#erasing;
      if (isMarker) {
        this.#toPage(context, ratio);
        context.strokeStyle = this.#palette.get("warn");
        context.globalAlpha = 0.3;
        context.lineWidth = markerWidth;
        context.beginPath();
        path.x.forEach((x, index) => context.lineTo(x, path.y[index]));
        context.stroke();
        context.globalAlpha = 1;
        return;
      }
      const at = this.pixel(path.x.at(-1), path.y.at(-1));
      context.strokeStyle = this.#palette.get("dim");
      context.lineWidth = 1.5;
      context.beginPath();
      context.arc(at.x, at.y, Math.max(4, this.#model.eraserRadius * scale), 0, 2 * Math.PI);
      context.stroke();
    }
  }
}

/** Draws a decoration of words; the marker shows the ink through it. */
function drawDecoration(context, { kind, line, shape }, palette) {
  context.fillStyle = palette.get("warn");
  context.strokeStyle = palette.get("ink");
  context.globalAlpha = kind === "highlight" ? 0.3 : 1;
  if (line) {
    context.lineWidth = line;
    context.stroke(shape);
  } else {
    context.fill(shape);
  }
  context.globalAlpha = 1;
}

/** Returns the distance of a stroke from a place in millimetres. */
function distance(stroke, place) {
  let least = Infinity;
  const { x, y } = stroke;
  for (let i = 0; i < x.length; i++) {
    const j = Math.max(0, i - 1);
    const [dx, dy] = [x[i] - x[j], y[i] - y[j]];
    const square = dx * dx + dy * dy;
    const along = square > 0 ? Math.min(1, Math.max(0, ((place.x - x[j]) * dx + (place.y - y[j]) * dy) / square)) : 0;
    least = Math.min(least, Math.hypot(place.x - x[j] - along * dx, place.y - y[j] - along * dy));
  }
  return least;
}

/** Draws the ideal form of a shape; the context is in millimetres. */
function drawShape(context, shape) {
  context.beginPath();
  if (shape.ellipse) {
    const [x, y, rx, ry] = shape.ellipse;
    context.ellipse(x, y, Math.max(0, rx), Math.max(0, ry), 0, 0, 2 * Math.PI);
  } else {
    for (const [index, [x, y]] of shape.points.entries()) {
      if (index === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    if (shape.isClosed) context.closePath();
  }
  context.stroke();
}
