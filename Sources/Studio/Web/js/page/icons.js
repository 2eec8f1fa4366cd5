// The icons of the tools, as paths in a square of 24 units.
import { svg } from "/js/dom.js";

const paths = {
  pen: "M4 20l1-4L16 5l3 3L8 19l-4 1zM14 7l3 3",
  highlighter: "M6 15l9-11 5 4-9 11H6v-4zM3 21h18M12 8l5 4",
  precise: "M4 12h5M15 12h5M12 4v5M12 15v5M12 12h.01",
  gestures: "M4 7h16M5 17l3-4 3 4 3-4 3 4 2-3",
  eraser: "M9 20h11M5 15l8-9 6 5-7 9H9l-4-4zM9 10.500l6 5",
  lasso: "M12 4c5 0 8.500 2.200 8.500 5.200S17 14.500 12 14.500 3.500 12.300 3.500 9.200 7 4 12 4zM7.500 13.500c-2 1-1.800 3.200.5 3.400 2 .2 2.300 2 .5 3.100",
  cut: "M6.500 15.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM17.500 15.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM8 16L16.500 4M16 16L7.500 4",
  copy: "M9 8h10v12H9zM5 16V4h10",
  color: "M12 3.500c3.500 4.200 5.500 6.800 5.500 10a5.500 5.500 0 0 1-11 0c0-3.200 2-5.800 5.500-10zM9.500 14a2.500 2.500 0 0 0 2.500 2.500",
  change: "M5 6h14M12 6v13M9 19h6M5 6v3M19 6v3",
  copyAsText: "M8 4h8v3H8zM8 5.500H5V20h14V5.500h-3M8.500 12h7M8.500 16h5",
  deselect: "M6 6l12 12M18 6L6 18",
  hand: "M12 3v18M3 12h18M12 3l-3 3M12 3l3 3M12 21l-3-3M12 21l3-3M3 12l3-3M3 12l3 3M21 12l-3-3M21 12l-3 3",
  undo: "M9 6L4 11l5 5M4 11h10a6 6 0 0 1 0 9h-2",
  redo: "M15 6l5 5-5 5M20 11H10a6 6 0 0 0 0 9h2",
  clear: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5",
  deleteInk: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  convert: "M4 17c2-6 3-9 4-9s1 9 2 9 1-3 2-3M15 8h6M18 8v9M13 20h8",
  export: "M12 15V4M8 8l4-4 4 4M5 14v6h14v-6",
  exportInk: "M12 15V4M8 8l4-4 4 4M5 14v6h14v-6",
  less: "M6 12h12",
  more: "M6 12h12M12 6v12",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
};

/** Returns an icon. The control that has it needs a name of its own. */
export function icon(name) {
  return svg("svg", {
    viewBox: "0 0 24 24", width: 20, height: 20, fill: "none", stroke: "currentColor", "stroke-width": 1.8,
    "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true",
  }, svg("path", { d: paths[name] }));
}
