import Foundation
import InkCore
import Layout

/// Composes pages from real ink and drawn lines: paragraphs, headings, lists, formulas, drawings,
/// diagrams, mind maps and tables.
///
/// A page depends on the material, the seed and its number alone, so no two pages are equal.
///
///     let page = PageComposer(material, seed: 1).page(7)
package struct PageComposer: Sendable {
  /// The ink.
  package let material: PageMaterial
  /// The seed of all pages.
  package let seed: UInt64

  /// Makes a composer.
  package init(_ material: PageMaterial, seed: UInt64) {
    self.material = material
    self.seed = seed
  }

  /// Composes a page.
  package func page(_ number: Int) -> ComposedPage {
    var generator = SeededGenerator(seed: seed, UInt64(number))
    var sheet = PageSheet(material, using: &generator)
    switch generator.number(0...1) {
    case ..<0.17: sheet.writeText(using: &generator)
    case ..<0.28: sheet.writeFormulas(using: &generator)
    case ..<0.43: sheet.drawDiagram(using: &generator)
    case ..<0.53: sheet.drawMindMap(using: &generator)
    case ..<0.58: sheet.drawTable(using: &generator)
    case ..<0.65: sheet.drawSketches(using: &generator)
    default: sheet.writeNotes(using: &generator)
    }
    return finished(sheet, using: &generator)
  }

  /// Slants, turns and scales a page.
  private func finished(
    _ sheet: PageSheet, using generator: inout SeededGenerator
  ) -> ComposedPage {
    let shear = generator.chance(0.5) ? generator.normal(0.12) : 0
    let angle = generator.chance(0.5) ? generator.normal(0.025) : 0
    let aspect = exp(generator.normal(generator.chance(0.3) ? 0.25 : 0.08))
    let scale = exp(generator.number(-2...5))
    let offset = PagePoint(generator.normal(500), generator.normal(500))
    var whole = sheet.piece
    whole = whole.mapped { PagePoint(aspect * ($0.x - shear * $0.y), $0.y) }
    whole = whole.turned(angle).mapped { scale * $0 + offset }
    let page = ComposedPage(
      ink: Ink(
        strokes: whole.strokes.map { stroke in
          Stroke(points: stroke.points.map { StrokePoint(x: $0.x, y: $0.y) })
        }), kinds: whole.strokes.map(\.kind), lines: whole.strokes.map(\.line),
      labels: sheet.labels)
    guard generator.chance(0.3) else { return page }
    var order = Array(whole.strokes.indices)
    for index in order.indices.dropLast() {
      order.swapAt(index, index + generator.index(below: order.count - index))
    }
    return page.reordered(order)
  }
}
