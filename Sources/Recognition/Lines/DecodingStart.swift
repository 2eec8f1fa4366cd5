/// Where a search begins: what is known from the text before the ink.
struct DecodingStart {
  /// The state behind the text.
  var state: TextState
  /// The class of the space where a reading may begin with one that was not written, else nil.
  var space: Int?
  /// Added to such a reading.
  var spaceBonus: Float
}
