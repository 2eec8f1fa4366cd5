import InkCore

/// The decision of a delegate about a gesture.
public enum GestureAnswer: String, Hashable, Sendable, CaseIterable {
  /// The gesture has its effect, as the configuration says.
  case apply
  /// The stroke vanishes, and the content does not change.
  case ignore
  /// The stroke is ink, and there is no other effect.
  case add
}

/// A stroke that may be a gesture and about which the delegate is asked.
struct PendingStroke {
  var gesture: EditorGesture
  /// The vote of the model of gestures on it.
  var vote: GestureVote?
  /// The answer, which waits for those about the strokes before.
  var answer: GestureAnswer?
  /// True if the delegate was asked.
  var isAsked = false

  var item: Int { gesture.stroke }
}
