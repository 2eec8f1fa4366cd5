import InkCore
import InkSynthesis

/// The habits of a writer in placing symbols. Lengths are in units of prototypes: a capital is 100.
struct FormulaManner {
  /// The gap between symbols of a product.
  let letterGap: Double
  /// The gap around operators and relations.
  let operatorGap: Double
  /// The gap between a base and its scripts.
  let scriptGap: Double
  /// The size of scripts relative to their base.
  let scriptSize: Double
  /// The distance of a superscript's baseline under the top of its base.
  let superscriptDrop: Double
  /// The distance of a subscript's baseline under the baseline of its base.
  let subscriptDrop: Double
  /// The gap between a bar and what is over or under it.
  let barGap: Double
  /// The part of a bar that juts out on each side.
  let barOverhang: Double
  /// The gap between the roof of a root and what is under it.
  let roofGap: Double
  /// The gap between an operator and its limits.
  let limitGap: Double
  /// The size of numerators and denominators relative to the row.
  let fractionSize: Double
  /// The size of limits.
  let limitSize: Double
  /// The size of sums relative to capitals.
  let operatorSize: Double
  /// True if limits of sums are over and under them.
  let putsLimitsOver: Bool
  /// True if limits of integrals are over and under them.
  let putsIntegralLimitsOver: Bool
  /// The probability that a bar is written before its numerator, and that it is written last.
  let barFirst, barLast: Double
  /// The deviation of heights and of sizes from one symbol to the next.
  let lift, sizeNoise: Double
  /// The slope of lines.
  let drift: Double
  /// The probability that brackets grow with their content.
  let growingBrackets: Double
  /// The probability that the last stroke of a symbol is added later.
  let lateStroke: Double

  /// The habits of a writer.
  init(of writer: VirtualWriter) {
    var own = writer.formStream(0xF0_8A)
    letterGap = own.number(3...32) + (own.chance(0.4) ? own.number(0...45) : 0)
    operatorGap = own.number(10...54) + (own.chance(0.5) ? own.number(0...110) : 0)
    scriptGap = own.number(-6...38)
    scriptSize = own.number(0.32...0.74)
    superscriptDrop = own.number(-26...34)
    subscriptDrop = own.number(4...42)
    barGap = own.number(8...52)
    barOverhang = own.number(-4...62)
    roofGap = own.number(8...72)
    limitGap = own.number(4...40)
    fractionSize = own.number(0.72...1.02)
    limitSize = own.number(0.45...0.8)
    operatorSize = own.number(1.05...1.9)
    putsLimitsOver = own.chance(0.85)
    putsIntegralLimitsOver = own.chance(0.25)
    (barFirst, barLast) = (own.chance(0.25) ? 0.85 : 0.06, own.chance(0.08) ? 0.6 : 0.03)
    lift = own.number(1...6)
    sizeNoise = own.number(0.03...0.13)
    drift = own.normal(0.025)
    growingBrackets = own.number(0.4...1)
    lateStroke = own.chance(0.15) ? 0.06 : 0.004
  }
}
