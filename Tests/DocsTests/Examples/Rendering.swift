// swift-format-ignore-file
// The examples of docs/Rendering.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation

func exampleRendering1() async throws {
  /// Draws what has changed since the last call.
  func redraw(_ editor: Editor, on screen: inout some Painter) {
    let view = editor.viewTransform
    let white = InkColor(red: 255, green: 255, blue: 255)
    for part in editor.takeInvalidations() {
      // Whole pixels, so that no edge is drawn twice.
      let box = BoundingBox(
        minX: part.viewBox.minX.rounded(.down), minY: part.viewBox.minY.rounded(.down),
        maxX: part.viewBox.maxX.rounded(.up), maxY: part.viewBox.maxY.rounded(.up))
      // All layers, from the paper up: whatever was there before is covered.
      var commands: [DrawCommand] = [.fill(DrawPath(box), white)]
      for layer in RenderLayer.allCases {
        let inMillimetres = editor.drawCommands(of: layer, in: view.documentBox(box))
        commands.append(.group(DrawGroup(transform: view.matrix, inMillimetres)))
      }
      screen.draw(.clip(DrawPath(box), commands))
    }
  }
}

func exampleRendering2(_ parts: [ContentPart]) async throws {
  func polygons(of path: DrawPath) -> [[PlanePoint]] {
    var parts: [[PlanePoint]] = []
    path.forEach { step in
      switch step {
      case .move(let point): parts.append([point])
      case .line(let point): parts[parts.count - 1].append(point)
      case .quadratic(_, let end), .cubic(_, _, let end): parts[parts.count - 1].append(end)
      case .close: break
      }
    }
    return parts
  }
}
