import ArgumentParser
import Recognition

/// The layout of an ink: a line, a page or a formula.
package struct LayoutOption: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      Line models: auto (the strokes decide), page (find blocks and lines), line (one line), \
      glyph (one character), or formula (one formula, read with the model formulas).
      """, valueName: "layout"))
  var layout = InkLayout.auto
}

extension InkLayout: ExpressibleByArgument {}
