// The picture of the ink in tiles: a frame draws only what is seen, and only as much as its budget
// allows. Lengths are millimetres; a scale is pixels per millimetre.
import { isLeftward } from "/js/page/directions.js";
import { lineWidth, shapeOf } from "/js/page/outline.js";

const size = 256;
const cell = 40;
const most = 120;
/** Milliseconds of a frame that drawing may take. */
const budget = 3;
/** The least and most strokes that a frame draws into tiles. */
const leastStrokes = 8;
const mostStrokes = 400;

/** Returns the path of a stroke and the width of its line; null if the path is to be filled. */
export function pathOf(stroke) {
  return (stroke.shape ??= shapeOf(stroke));
}

/** Draws a stroke in the present colours; the context is in millimetres. */
export function drawPath(context, stroke, scale, wider = 1) {
  if (stroke.text) return drawText(context, stroke.text);
  if (stroke.image) return drawPicture(context, stroke, wider / scale);
  const { path, width } = pathOf(stroke);
  if (width === null) {
    context.fill(path);
    if (wider === 1) return;
  }
  context.lineWidth = Math.max((width ?? lineWidth) * wider, 1 / scale);
  context.stroke(path);
}

/** The size at which text is measured: fonts of a few pixels are not exact. */
const fontSize = 100;

/** Draws typed text in its width, whatever font is there. */
function drawText(context, { text, x, y, size: height, width, family, bold, italic }) {
  context.save();
  context.font = `${italic ? "italic " : ""}${bold ? "bold " : ""}${fontSize}px "${family}", Arial, Helvetica, sans-serif`;
  // The overlay also writes names, in the middle of their boxes.
  context.textBaseline = "alphabetic";
  context.textAlign = "left";
  context.direction = isLeftward(text) ? "rtl" : "ltr";
  const natural = context.measureText(text).width;
  context.translate(x, y);
  context.scale(natural > 0 && width > 0 ? width / natural : height / fontSize, height / fontSize);
  context.fillText(text, 0, 0);
  context.restore();
}

/** Draws a picture in its box; a frame until it is there. */
function drawPicture(context, stroke, thin) {
  const { left, top, right, bottom } = stroke.box;
  if (stroke.picture?.complete && stroke.picture.naturalWidth > 0) {
    context.drawImage(stroke.picture, left, top, right - left, bottom - top);
  } else {
    context.lineWidth = thin;
    context.strokeRect(left, top, right - left, bottom - top);
  }
}

function overlaps(box, left, top, right, bottom) {
  return box.right >= left && box.left <= right && box.bottom >= top && box.top <= bottom;
}

/** Finds strokes by place. */
export class InkGrid {
  #cells = new Map();
  #seen = 0;

  #each(box, action) {
    for (let row = Math.floor(box.top / cell); row <= Math.floor(box.bottom / cell); row++) {
      for (let column = Math.floor(box.left / cell); column <= Math.floor(box.right / cell); column++) {
        action(`${column},${row}`);
      }
    }
  }

  add(stroke) {
    this.#each(stroke.box, (key) => {
      if (!this.#cells.has(key)) this.#cells.set(key, new Set());
      this.#cells.get(key).add(stroke);
    });
  }

  remove(stroke) {
    this.#each(stroke.box, (key) => this.#cells.get(key)?.delete(stroke));
  }

  /** Returns the strokes whose boxes overlap a rectangle. */
  find(left, top, right, bottom) {
    const mark = ++this.#seen;
    const result = [];
    const collect = (strokes) => {
      for (const stroke of strokes) {
        if (stroke.seen === mark) continue;
        stroke.seen = mark;
        if (overlaps(stroke.box, left, top, right, bottom)) result.push(stroke);
      }
    };
    const count = (right - left + cell) * (bottom - top + cell) / cell / cell;
    if (count > this.#cells.size) {
      for (const strokes of this.#cells.values()) collect(strokes);
    } else {
      this.#each({ left, top, right, bottom }, (key) => collect(this.#cells.get(key) ?? []));
    }
    return result;
  }
}

/** A square of the picture at one scale. */
class Tile {
  constructor(column, row) {
    this.column = column;
    this.row = row;
    this.canvas = null;
    this.next = null;
    this.queue = [];
    this.used = 0;
  }
}

/** The tiles of a view. */
export class InkTiles {
  grid = new InkGrid();
  #tiles = new Map();
  #old = null;
  #scale = 0;
  #ratio = 1;
  #tick = 0;
  #pool = [];
  /**
   * The strokes that one frame may draw. A browser may draw them only when the tile is shown, so
   * the time of the whole frame decides.
   */
  #quota = 60;
  #left = 0;

  /** Called when a picture is there, which was drawn as a frame. */
  onload = () => {};

  add(stroke) {
    if (stroke.image && !stroke.picture) {
      stroke.picture = new Image();
      stroke.picture.onload = () => {
        this.redraw(stroke);
        this.onload();
      };
      stroke.picture.src = stroke.image;
    }
    this.grid.add(stroke);
    for (const tile of this.#touched(stroke.box)) tile.queue.push(stroke);
  }

  /** Removes a stroke. If another one has taken its place, the picture stays. */
  remove(stroke, isReplaced = false) {
    this.grid.remove(stroke);
    for (const tile of this.#touched(stroke.box)) {
      const index = tile.queue.indexOf(stroke);
      if (index >= 0 && tile.next === null) tile.queue.splice(index, 1);
      if (!isReplaced) this.#restart(tile);
    }
  }

  /** Draws a stroke again, which has another colour. */
  redraw(stroke) {
    for (const tile of this.#touched(stroke.box)) this.#restart(tile);
  }

  /** Draws everything again, for example in other colours. */
  restart() {
    this.#old = null;
    for (const tile of this.#tiles.values()) this.#restart(tile);
  }

  #touched(box) {
    const margin = lineWidth;
    const side = size / this.#scale;
    return [...this.#tiles.values()].filter((tile) => overlaps(box,
      tile.column * side - margin, tile.row * side - margin,
      (tile.column + 1) * side + margin, (tile.row + 1) * side + margin));
  }

  #restart(tile) {
    const side = size / this.#scale;
    tile.queue = this.grid.find(tile.column * side - lineWidth, tile.row * side - lineWidth,
      (tile.column + 1) * side + lineWidth, (tile.row + 1) * side + lineWidth);
    if (tile.next) this.#pool.push(tile.next);
    tile.next = this.#canvas();
  }

  #canvas() {
    const canvas = this.#pool.pop() ?? document.createElement("canvas");
    const pixels = Math.round(size * this.#ratio);
    canvas.width = canvas.height = pixels;
    return canvas;
  }

  #free(tile) {
    for (const canvas of [tile.canvas, tile.next]) if (canvas && this.#pool.length < 24) this.#pool.push(canvas);
  }

  /**
   * Draws the picture. Returns true if more is left for the next frame.
   *
   * @param camera { x, y, scale }: the place at the upper left corner, and pixels per millimetre.
   * @param isSettled False while the scale changes: the present tiles are then stretched.
   */
  draw(...values) {
    const start = performance.now();
    this.#left = this.#quota;
    const isLeft = this.#draw(...values);
    const time = performance.now() - start;
    if (time > budget) this.#quota = Math.max(leastStrokes, this.#quota / 2);
    else if (this.#left <= 0) this.#quota = Math.min(mostStrokes, this.#quota * 1.25);
    return isLeft;
  }

  #draw(context, width, height, camera, ratio, colour, isSettled) {
    const end = performance.now() + budget;
    this.#tick += 1;
    if (ratio !== this.#ratio) {
      this.#ratio = ratio;
      this.#tiles.clear();
      this.#old = null;
      this.#pool = [];
    }
    if (camera.scale !== this.#scale) {
      if (this.#scale > 0 && (this.#old === null || this.#isDone())) this.#old = { scale: this.#scale, tiles: this.#tiles };
      this.#tiles = new Map();
      this.#scale = camera.scale;
    }
    const [visible, isWhole] = isSettled ? this.#visible(width, height, camera, end) : [[], true];
    let isLeft = !isWhole;
    for (const tile of visible) if (!this.#fill(tile, colour, end)) isLeft = true;
    if (this.#old !== null) {
      const stretch = camera.scale / this.#old.scale;
      for (const tile of this.#old.tiles.values()) {
        if (!tile.canvas) continue;
        context.drawImage(tile.canvas, (tile.column * size) * stretch - camera.x * camera.scale,
          (tile.row * size) * stretch - camera.y * camera.scale, size * stretch, size * stretch);
      }
      if (isSettled && !isLeft) {
        for (const tile of this.#old.tiles.values()) this.#free(tile);
        this.#old = null;
        return true;
      }
      return isLeft;
    }
    const left = Math.round(camera.x * camera.scale * ratio) / ratio;
    const top = Math.round(camera.y * camera.scale * ratio) / ratio;
    for (const tile of visible) {
      if (tile.canvas) context.drawImage(tile.canvas, tile.column * size - left, tile.row * size - top, size, size);
    }
    this.#trim();
    return isLeft;
  }

  #isDone() {
    return this.#tiles.size > 0 && [...this.#tiles.values()].some((tile) => tile.canvas);
  }

  /** Returns the tiles that are seen, and whether all are there; new ones are made while time is left. */
  #visible(width, height, camera, end) {
    const [left, top] = [camera.x * camera.scale / size, camera.y * camera.scale / size];
    const result = [];
    let made = 0;
    let isWhole = true;
    for (let row = Math.floor(top); row * size < camera.y * camera.scale + height; row++) {
      for (let column = Math.floor(left); column * size < camera.x * camera.scale + width; column++) {
        const key = `${column},${row}`;
        let tile = this.#tiles.get(key);
        if (!tile) {
          if (made > 0 && performance.now() > end) {
            isWhole = false;
            continue;
          }
          made += 1;
          tile = new Tile(column, row);
          this.#tiles.set(key, tile);
          this.#restart(tile);
        }
        tile.used = this.#tick;
        result.push(tile);
      }
    }
    return [result, isWhole];
  }

  /** Draws what a tile waits for; returns false if time is up. */
  #fill(tile, colour, end) {
    if (tile.queue.length === 0 && tile.next === null) return true;
    // A stroke that was just written appears in any case; pictures of whole tiles can wait.
    if (tile.queue.length > 2 && (this.#left <= 0 || performance.now() > end)) return false;
    const canvas = tile.next ?? tile.canvas;
    const context = canvas.getContext("2d");
    const scale = this.#scale * this.#ratio;
    context.setTransform(scale, 0, 0, scale, -tile.column * size * this.#ratio, -tile.row * size * this.#ratio);
    context.lineCap = context.lineJoin = "round";
    let drawn = 0;
    while (drawn < tile.queue.length) {
      if (drawn > 1 && (this.#left <= 0 || (drawn % 4 === 3 && performance.now() > end))) break;
      this.#left -= 1;
      context.strokeStyle = context.fillStyle = tile.queue[drawn].color ?? colour;
      drawPath(context, tile.queue[drawn], this.#scale);
      drawn += 1;
    }
    tile.queue.splice(0, drawn);
    if (tile.queue.length > 0) {
      // The first picture of a tile grows before the eyes; a later one replaces it as a whole.
      if (tile.canvas === null) [tile.canvas, tile.next] = [tile.next, null];
      return false;
    }
    if (tile.next) {
      if (tile.canvas && this.#pool.length < 24) this.#pool.push(tile.canvas);
      [tile.canvas, tile.next] = [tile.next, null];
    }
    return true;
  }

  #trim() {
    if (this.#tiles.size <= most) return;
    const unused = [...this.#tiles].filter(([, tile]) => tile.used !== this.#tick).sort((a, b) => a[1].used - b[1].used);
    for (const [key, tile] of unused.slice(0, this.#tiles.size - most)) {
      this.#free(tile);
      this.#tiles.delete(key);
    }
  }
}
