import DuctusKit
import Foundation

/// Draws what an editor says into a bitmap, as an app draws it on its screen: strokes while they
/// are written, erased ink, and undo, after which the page is white again.
///
///     swift run Painter [PICTURE.pgm]
@main
struct PainterExample {
  static func main() async throws {
    let engine = Engine(models: LoadedModels())
    let editor = engine.makeEditor()
    editor.viewTransform = try ViewTransform(dpiX: 101.6, dpiY: 101.6)  // 4 pixels for a millimetre
    try editor.setViewSize(width: 480, height: 200)
    try editor.setPart(engine.makePart(type: "Drawing"))
    var bitmap = BitmapPainter(width: 480, height: 200)
    redraw(editor, on: &bitmap)
    try check("an empty page", bitmap) { $0 == 0 }

    // A wave, drawn while it is written: every event draws the part that it changes.
    try editor.pointerDown(x: 20, y: 100)
    for x in stride(from: 28, through: 440, by: 8) {
      try editor.pointerMove(x: Double(x), y: 100 + 60 * sin(Double(x) / 30))
      redraw(editor, on: &bitmap)
    }
    try check("a wave that is being written", bitmap) { $0 > 1000 }
    try editor.pointerUp(x: 440, y: 100)
    try write([(20, 20), (460, 180)], editor)
    redraw(editor, on: &bitmap)
    if CommandLine.arguments.count > 1 { try bitmap.write(to: CommandLine.arguments[1]) }
    let dark = bitmap.darkPixels

    // Drawing part by part gives the same picture as drawing at once.
    var whole = BitmapPainter(width: 480, height: 200)
    let commands = RenderLayer.allCases.flatMap { editor.drawCommands(of: $0) }
    let paper = DrawPath(BoundingBox(minX: 0, minY: 0, maxX: 480, maxY: 200))
    whole.draw(.fill(paper, InkColor(red: 255, green: 255, blue: 255)))
    whole.draw(.group(DrawGroup(transform: editor.viewTransform.matrix, commands)))
    try check("all at once", whole) { $0 == dark && whole.pixels == bitmap.pixels }

    // Erased ink goes, and undo brings it back.
    try editor.undo()
    redraw(editor, on: &bitmap)
    try check("without the line", bitmap) { $0 < dark }
    try editor.redo()
    redraw(editor, on: &bitmap)
    try check("with the line again", bitmap) { $0 == dark }
    while editor.canUndo {
      try editor.undo()
      redraw(editor, on: &bitmap)
    }
    try check("after undo of everything", bitmap) { $0 == 0 }
  }

  /// Writes a stroke of the corners.
  static func write(_ corners: [(x: Double, y: Double)], _ editor: Editor) throws {
    for (index, corner) in corners.enumerated() {
      if index == 0 { try editor.pointerDown(x: corner.x, y: corner.y) }
      try editor.pointerMove(x: corner.x, y: corner.y)
    }
    if let last = corners.last { try editor.pointerUp(x: last.x, y: last.y) }
  }

  /// Prints the number of dark pixels, and ends with an error if they are not as expected.
  static func check(
    _ name: String, _ bitmap: BitmapPainter, isExpected: (Int) -> Bool
  ) throws {
    print("\(name): \(bitmap.darkPixels) dark pixels")
    guard isExpected(bitmap.darkPixels) else { throw PictureError(name: name) }
  }

  /// A picture that is not as expected.
  struct PictureError: Error {
    var name: String
  }
}

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

extension BitmapPainter {
  /// The number of pixels that are not white.
  var darkPixels: Int { pixels.count { $0 < 255 } }

  /// Writes the picture in the format PGM.
  func write(to path: String) throws {
    let bytes = Data("P5\n\(width) \(height)\n255\n".utf8) + Data(pixels)
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}
