import InkCore

/// Tells the kind of each stroke of a page by the stroke and those around it.
///
///     let kinds = KindModel.standard.kinds(ink)
///
/// The result does not depend on the order of the strokes, on times, on the unit or on the place of
/// the ink. The page must be upright.
package struct KindModel: Sendable {
  /// The model that ships.
  package static let standard = KindModel(
    network: KindNetwork(parameters: KindPacking.unpack(base64: KindWeights.text)),
    surety: KindWeights.surety)

  /// The layers.
  package let network: KindNetwork
  /// The probability that all other kinds must reach together before a stroke is not text.
  package let surety: Float

  /// Makes a model.
  package init(network: KindNetwork, surety: Float) {
    self.network = network
    self.surety = surety
  }

  /// Returns the probabilities of each stroke by ``StrokeKind/allCases``. A stroke without points,
  /// or with points that are not finite, is text. O(points + strokes log strokes).
  package func probabilities(_ ink: Ink) -> [[Float]] {
    var text = [Float](repeating: 0, count: KindNetwork.K)
    text[StrokeKind.text.index] = 1
    var result = [[Float]](repeating: text, count: ink.strokes.count)
    let features = StrokeFeatures(ink)
    guard features.count > 0 else { return result }
    let found = network.values(features).probabilities
    for (row, item) in features.items.enumerated() {
      result[item] = Array(found[(row * KindNetwork.K)..<((row + 1) * KindNetwork.K)])
    }
    return result
  }

  /// Returns the kind of each stroke. Where nothing is sure, it is text.
  /// O(points + strokes log strokes).
  package func kinds(_ ink: Ink) -> [StrokeKind] {
    probabilities(ink).map(kind)
  }

  /// Returns the kind by its probabilities.
  package func kind(_ probabilities: [Float]) -> StrokeKind {
    let text = StrokeKind.text.index
    guard 1 - probabilities[text] >= surety else { return .text }
    var best = StrokeKind.formula
    for kind in StrokeKind.allCases where kind != .text {
      if probabilities[kind.index] > probabilities[best.index] { best = kind }
    }
    return best
  }
}
