// The writing area and its guide lines.

/** The lines of the area as shares of its height: capitals, small letters, baseline, descenders. */
const lines = [["capitals", 0], ["small", 0.36], ["baseline", 0.7], ["descenders", 1]];

/** Returns the writing area of a surface: { x, y, width, height }. */
export function areaOf(width, height, line) {
  const high = Math.max(1, Math.round(height * line));
  return { x: 0, y: Math.round((height - high) / 2), width, height: high };
}

/** Draws the area and the lines below the ink, as the options say. */
export function drawGuides(context, width, height, colour, options) {
  const area = areaOf(width, height, options.line);
  context.save();
  if (options.area) {
    context.fillStyle = colour("accent-soft");
    context.globalAlpha = 0.35;
    context.fillRect(0, area.y, width, area.height);
    context.globalAlpha = 1;
  }
  for (const [name, share] of lines) {
    const isEdge = share === 0 || share === 1;
    if (!options.guides && !(options.area && isEdge)) continue;
    const y = Math.round(area.y + share * area.height) + 0.5;
    context.strokeStyle = colour(name === "baseline" ? "accent" : "dim");
    context.globalAlpha = name === "baseline" ? 0.7 : 0.45;
    context.lineWidth = name === "baseline" ? 1.5 : 1;
    context.setLineDash(name === "small" ? [6, 5] : []);
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
  }
  context.restore();
}
