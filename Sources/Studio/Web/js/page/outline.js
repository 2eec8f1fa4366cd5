// The path of a stroke that the studio has not confirmed yet: the same curve and width as the studio
// draws, so that the ink does not jump when it is saved. Lengths are millimetres.

/** The width at an average force, and the share of it at force 0. */
export const lineWidth = 0.6;
const leastShare = 0.45;
/** The greatest distance of the straight pieces of an outline from the curve. */
const flatness = 0.01;
/** The greatest step along the edge of a turn that is drawn without an arc. */
const roundness = 0.03;

function half(force) {
  return lineWidth * (leastShare + (1 - leastShare) * 2 * Math.min(1, Math.max(0, force))) / 2;
}

/** Calls `curve` with the start, two controls and the end of each curve of a smooth line: a cubic B-spline. */
function eachCurve({ x, y }, curve) {
  const last = x.length - 1;
  const at = (values, i) => (i < 0 ? 2 * values[0] - values[1] : i > last ? 2 * values[last] - values[last - 1] : values[i]);
  const mix = (values, i) => (i === 0 || i === last ? values[i] : (at(values, i - 1) + 4 * values[i] + at(values, i + 1)) / 6);
  for (let i = 0; i < last; i++) {
    const third = (values, a, b) => (2 * values[a] + values[b]) / 3;
    curve(i, mix(x, i), mix(y, i), third(x, i, i + 1), third(y, i, i + 1), third(x, i + 1, i), third(y, i + 1, i),
      mix(x, i + 1), mix(y, i + 1));
  }
}

/** Returns the straight pieces of a smooth line: places and half widths. */
function samples(stroke) {
  const { x, y, force } = stroke;
  const result = [{ x: x[0], y: y[0], half: half(force[0]) }];
  const add = (px, py, width) => {
    const before = result.at(-1);
    if (Math.hypot(px - before.x, py - before.y) > 1e-4) result.push({ x: px, y: py, half: width });
    else before.half = Math.max(before.half, width);
  };
  eachCurve(stroke, (i, x0, y0, x1, y1, x2, y2, x3, y3) => {
    const bend = Math.max(Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3));
    const pieces = Math.min(64, Math.max(1, Math.ceil(Math.sqrt(0.75 * bend / flatness))));
    const [from, to] = [half(force[i]), half(force[i + 1])];
    for (let piece = 1; piece <= pieces; piece++) {
      const t = piece / pieces, s = 1 - t;
      const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
      add(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3, from + t * (to - from));
    }
  });
  return result;
}

/** Adds the corners of an arc about a sample, from a normal. */
function arc(sample, nx, ny, turn, result) {
  const step = sample.half > flatness ? Math.max(Math.PI / 48, Math.min(Math.PI / 4, 2 * Math.acos(1 - flatness / sample.half))) : Math.PI / 4;
  const count = Math.ceil(Math.abs(turn) / step);
  for (let i = 1; i < count; i++) {
    const [c, s] = [Math.cos(turn * i / count), Math.sin(turn * i / count)];
    result.push(sample.x + (nx * c - ny * s) * sample.half, sample.y + (nx * s + ny * c) * sample.half);
  }
}

/** Returns the outline of a stroke with forces, to be filled. A sharp turn goes through the middle on its inner side. */
function outlineOf(stroke) {
  const path = new Path2D();
  const all = samples(stroke);
  if (all.length === 1) {
    path.arc(all[0].x, all[0].y, all[0].half, 0, 2 * Math.PI);
    return path;
  }
  const left = [], right = [];
  const edge = (side, sample, nx, ny) => side.push(sample.x + nx * sample.half, sample.y + ny * sample.half);
  let before = null;
  for (let i = 0; i + 1 < all.length; i++) {
    const [from, to] = [all[i], all[i + 1]];
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const now = { x: (to.y - from.y) / length, y: -(to.x - from.x) / length, length };
    if (before === null) {
      edge(left, from, now.x, now.y);
      edge(right, from, -now.x, -now.y);
    } else {
      const dot = before.x * now.x + before.y * now.y;
      const step = Math.sqrt(Math.max(0, 2 - 2 * dot)) * from.half;
      if (step < roundness && step < 0.8 * Math.min(before.length, now.length)) {
        const size = Math.hypot(before.x + now.x, before.y + now.y);
        edge(left, from, (before.x + now.x) / size, (before.y + now.y) / size);
        edge(right, from, -(before.x + now.x) / size, -(before.y + now.y) / size);
      } else {
        const turn = Math.atan2(before.x * now.y - before.y * now.x, dot);
        const [outer, inner, sign] = turn > 0 ? [left, right, 1] : [right, left, -1];
        edge(outer, from, sign * before.x, sign * before.y);
        arc(from, sign * before.x, sign * before.y, turn, outer);
        edge(outer, from, sign * now.x, sign * now.y);
        edge(inner, from, -sign * before.x, -sign * before.y);
        inner.push(from.x, from.y);
        edge(inner, from, -sign * now.x, -sign * now.y);
      }
    }
    if (i + 2 === all.length) {
      edge(left, to, now.x, now.y);
      edge(right, to, -now.x, -now.y);
    }
    before = now;
  }
  arc(all.at(-1), before.x, before.y, Math.PI, left);
  for (let i = right.length - 2; i >= 0; i -= 2) left.push(right[i], right[i + 1]);
  const start = Math.hypot(all[1].x - all[0].x, all[1].y - all[0].y);
  arc(all[0], -(all[1].y - all[0].y) / start, (all[1].x - all[0].x) / start, Math.PI, left);
  path.moveTo(left[0], left[1]);
  for (let i = 2; i < left.length; i += 2) path.lineTo(left[i], left[i + 1]);
  path.closePath();
  return path;
}

/** Returns the path of a stroke and the width of its line; the width is null if the path is to be filled. */
export function shapeOf(stroke) {
  const { x, y, force, path: data, line } = stroke;
  if (data !== undefined) return { path: new Path2D(data), width: line ?? null };
  if (x.length > 1 && force?.length === x.length) return { path: outlineOf(stroke), width: null };
  const path = new Path2D();
  if (x.every((each, i) => each === x[0] && y[i] === y[0])) {
    path.arc(x[0], y[0], half(force?.[0] ?? 0.5), 0, 2 * Math.PI);
    return { path, width: null };
  }
  path.moveTo(x[0], y[0]);
  eachCurve(stroke, (i, x0, y0, ...rest) => path.bezierCurveTo(...rest));
  return { path, width: lineWidth };
}
