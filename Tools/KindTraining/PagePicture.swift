import Foundation
import InkCore
import Layout

/// Draws a page with its kinds in colours, as SVG.
struct PagePicture {
  static let colours: [StrokeKind: String] = [
    .text: "#222222", .formula: "#1565c0", .drawing: "#8d6e63", .connector: "#ef6c00",
    .frame: "#2e7d32", .divider: "#ad1457", .underline: "#00acc1", .strikeThrough: "#e53935",
    .bullet: "#8e24aa", .tickBox: "#c0ca33", .tableRule: "#00897b",
  ]

  /// Draws a page.
  ///
  /// - Parameters:
  ///   - truth: The true kinds; strokes of another kind are drawn on a red ground.
  static func svg(_ ink: Ink, kinds: [StrokeKind], truth: [StrokeKind]?) -> String {
    guard let box = ink.boundingBox else { return "<svg xmlns='http://www.w3.org/2000/svg'/>" }
    let scale = min(1100 / max(box.width, 1e-9), 900 / max(box.height, 1e-9))
    var (ground, lines) = ("", "")
    for (index, stroke) in ink.strokes.enumerated() {
      let points = stroke.points.map { point in
        String(
          format: "%.1f,%.1f", 20 + (point.x - box.minX) * scale, 50 + (point.y - box.minY) * scale)
      }
      let dot = points.count == 1 ? points + points : points
      let path = "points='\(dot.joined(separator: " "))' fill='none' stroke-linecap='round'"
      if let truth, truth[index] != kinds[index] {
        ground += "<polyline \(path) stroke='#ff0000' stroke-opacity='0.3' stroke-width='9'/>"
      }
      lines += "<polyline \(path) stroke='\(colours[kinds[index]] ?? "#000")' stroke-width='1.6'/>"
    }
    var legend = ""
    for (index, kind) in StrokeKind.allCases.enumerated() {
      legend +=
        "<text x='\(20 + 100 * index)' y='20' font-size='13' fill='\(colours[kind] ?? "#000")'>\(kind.rawValue)</text>"
    }
    return
      "<svg xmlns='http://www.w3.org/2000/svg' width='1140' height='970'><rect width='100%' height='100%' fill='white'/>\(legend)\(ground)\(lines)</svg>"
  }
}
