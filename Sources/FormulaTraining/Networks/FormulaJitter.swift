import Foundation
import InkCore
import InkSynthesis
import Recognition

/// Moves the symbols of a formula a little, and leans and stretches the whole: the same formula, as
/// another hand would place it.
struct FormulaJitter {
  // Chosen by hand. Lengths are in units of the formula, the typical size of a stroke.

  /// The deviation of the place of a symbol.
  private static let shift = 0.05
  /// The deviation of the logarithm of the size of a symbol.
  private static let size = 0.06
  /// The deviation of the logarithm of the width of the whole.
  private static let width = 0.12
  /// The deviation of the slope of rows, and of the lean of what stands.
  private static let (slope, lean) = (0.025, 0.08)

  /// Returns the moved ink; the same ink if it cannot be measured.
  static func moved(
    _ ink: FormulaInk, groups: [[Int]], using generator: inout SeededGenerator
  ) -> FormulaInk {
    let slope = generator.normal(Self.slope)
    let lean = generator.normal(Self.lean)
    let width = exp(generator.normal(Self.width))
    var strokes = ink.strokes
    for group in groups where !group.isEmpty {
      let box = ink.box(of: group)
      let size = exp(generator.normal(Self.size))
      let (dx, dy) = (
        generator.normal(Self.shift) * ink.unit, generator.normal(Self.shift) * ink.unit
      )
      for stroke in group {
        strokes[stroke].points = strokes[stroke].points.map { point in
          let x = box.midX + size * (point.x - box.midX) + dx
          let y = box.midY + size * (point.y - box.midY) + dy
          return StrokePoint(x: width * (x + lean * y), y: y + slope * x)
        }
      }
    }
    return (try? FormulaInk(Ink(strokes: strokes))) ?? ink
  }
}
