import { createHandwritingRecognizer, HandwritingStroke } from "./ductus-handwriting.js";

const canvas = document.getElementById("canvas");
const context = canvas.getContext("2d");
const best = document.getElementById("best");
const others = document.getElementById("others");
// For a server with a token, open http://HOST:PORT/#token=TOKEN
const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? undefined;

let drawing;
let stroke = null;
let waiting = 0;

function say(error) {
  best.textContent = "";
  others.replaceChildren();
  best.textContent = error.message;
}

function draw() {
  const scale = window.devicePixelRatio || 1;
  canvas.width = canvas.clientWidth * scale;
  canvas.height = canvas.clientHeight * scale;
  context.scale(scale, scale);
  context.lineWidth = 2.5;
  context.lineCap = context.lineJoin = "round";
  context.strokeStyle = getComputedStyle(document.body).color;
  for (const each of [...drawing.getStrokes(), ...(stroke ? [stroke] : [])]) {
    const points = each.getPoints();
    if (points.length === 0) continue;
    context.beginPath();
    context.moveTo(points[0].x, points[0].y);
    for (const point of points) context.lineTo(point.x, point.y);
    context.stroke();
  }
}

async function read() {
  const mine = ++waiting;
  try {
    const predictions = await drawing.getPrediction();
    // The next stroke sends another request.
    if (mine !== waiting) return;
    best.textContent = predictions[0]?.text ?? "";
    others.replaceChildren(
      ...predictions.slice(1).map((each) => {
        const item = document.createElement("li");
        item.textContent = each.text;
        return item;
      })
    );
  } catch (error) {
    say(error);
  }
}

function add(event) {
  const box = canvas.getBoundingClientRect();
  const force = event.pointerType === "pen" && event.pressure > 0 ? event.pressure * 2 : undefined;
  stroke.addPoint({
    x: event.clientX - box.left,
    y: event.clientY - box.top,
    t: event.timeStamp,
    force,
  });
}

canvas.addEventListener("pointerdown", (event) => {
  if (stroke || event.button !== 0) return;
  canvas.setPointerCapture(event.pointerId);
  stroke = new HandwritingStroke();
  add(event);
});
canvas.addEventListener("pointermove", (event) => {
  if (!stroke) return;
  const events = event.getCoalescedEvents?.() ?? [];
  for (const each of events.length > 0 ? events : [event]) add(each);
  draw();
});
function end() {
  if (!stroke) return;
  drawing.addStroke(stroke);
  stroke = null;
  draw();
  read();
}
canvas.addEventListener("pointerup", end);
canvas.addEventListener("pointercancel", end);
document.getElementById("clear").addEventListener("click", () => {
  drawing.clear();
  draw();
  read();
});
document.getElementById("undo").addEventListener("click", () => {
  const last = drawing.getStrokes().at(-1);
  if (last) drawing.removeStroke(last);
  draw();
  read();
});
addEventListener("resize", draw);

try {
  const recognizer = await createHandwritingRecognizer({ languages: ["en"] }, { token });
  drawing = recognizer.startDrawing({ recognitionType: "text", alternatives: 4 });
  draw();
  document.body.dataset.ready = "yes";
} catch (error) {
  say(error);
}
