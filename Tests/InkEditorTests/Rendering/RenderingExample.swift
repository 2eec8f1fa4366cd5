import InkCore
import InkEditor

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
