import InkEditor

/// Draws what has changed since the last call.
func exampleRedraw(_ editor: Editor, on screen: inout some Painter) {
  let view = editor.viewTransform
  for part in editor.takeInvalidations() {
    let commands = editor.drawCommands(of: part.layer, in: part.box)
    let inPixels = DrawGroup(name: part.layer.rawValue, transform: view.matrix, commands)
    screen.draw(.clip(DrawPath(part.viewBox), [.group(inPixels)]))
  }
}
