import IntensityText

/// The metrics of an editor are also the sizes of characters for layouts of intensity text.
extension FontMetrics {
  /// Returns the width of each character. Weights do not change it.
  public func widths(of text: String, font: TextFont) -> [Double] {
    characterBoxes(of: text, size: font.size).map(\.width)
  }

  /// Returns the extent of a tall and a deep letter.
  public func extent(of font: TextFont) -> (ascent: Double, descent: Double) {
    let boxes = characterBoxes(of: "Ág", size: font.size)
    return (-(boxes.map(\.minY).min() ?? 0), boxes.map(\.maxY).max() ?? 0)
  }
}
