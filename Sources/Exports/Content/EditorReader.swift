import InkCore
import InkEditor

/// Reads ink with an editor that nobody sees, which writes JIIX.
package struct EditorReader {
  private let engine: Engine
  private let bundle: String?
  private let readsInk: Bool
  private let partType: PartType
  private let formulas: String?

  /// The part that takes the ink.
  package enum PartType: String, Sendable {
    /// A page of anything.
    case rawContent = "Raw Content"
    /// One formula.
    case math = "Math"
  }

  /// The view of the editor, millimetres. Only its size on paper matters.
  private static let (width, height) = (600.0, 1000.0)

  /// Prepares an editor.
  ///
  /// - Parameters:
  ///   - models: The models of texts and shapes.
  ///   - bundle: The model of texts: its name or a language; nil for that of the configuration.
  ///   - readsInk: False for pages without words.
  ///   - partType: The part that takes the ink.
  ///   - formulas: The model of formulas; nil for that of the configuration.
  package init(
    models: any EditorModels, bundle: String? = nil, readsInk: Bool = true,
    partType: PartType = .rawContent, formulas: String? = nil
  ) {
    engine = Engine(models: models)
    (self.bundle, self.readsInk, self.partType) = (bundle, readsInk, partType)
    self.formulas = formulas
  }

  /// Returns ink as a page that is JIIX.
  ///
  /// - Parameter page: The ink.
  /// - Throws: `EditorError`.
  package func page(_ page: PageInk) throws(EditorError) -> ExportPage {
    let editor = engine.makeEditor()
    editor.callbackExecutor = .engine
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: Self.width, height: Self.height)
    do throws(ConfigurationError) {
      let settings = editor.configuration
      try settings.set("raw-content.classification.types", to: ["text", "shape", "drawing"])
      try settings.set("raw-content.recognition.types", to: ["text", "math"])
      // The ink was not written on our guides.
      try settings.set("text.guides.enable", to: false)
      try settings.set("recognition.trigger", to: readsInk ? "stroke" : "demand")
      if let bundle { try settings.set("raw-content.configuration.bundle", to: bundle) }
      if let formulas { try settings.set("math.configuration.formulas", to: formulas) }
    } catch {
      throw .configuration(error)
    }
    try editor.setPart(try engine.makePart(type: partType.rawValue))
    // Places stay those of the file.
    let scale = PlacedInk(page).transform.a
    var ink = page.ink
    for stroke in ink.strokes.indices {
      for point in ink.strokes[stroke].points.indices {
        ink.strokes[stroke].points[point].x *= scale
        ink.strokes[stroke].points[point].y *= scale
      }
    }
    try editor.importInk(ink)
    try editor.waitUntilIdle()
    return try ExportPage(of: editor, for: .jiix)
  }
}
