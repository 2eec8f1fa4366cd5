import ArgumentParser
import Recognition

/// The layout of an ink: a line or a page.
package struct LayoutOption: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      Line models: auto (the strokes decide), page (find blocks and lines), line (one line), or \
      glyph (one character).
      """, valueName: "layout"))
  var layout = InkLayout.auto
}

extension InkLayout: ExpressibleByArgument {}
